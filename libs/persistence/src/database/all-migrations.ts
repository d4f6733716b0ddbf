import { CreateSchema1790000000000 } from '../migrations/1790000000000-create-schema';
import { AddAuditSeals1790100000000 } from '../migrations/1790100000000-add-audit-seals';
import { ExtendIngestion1790200000000 } from '../migrations/1790200000000-extend-ingestion';
import { AddWeekDigests1790300000000 } from '../migrations/1790300000000-add-week-digests';
import { AddDecisions1790400000000 } from '../migrations/1790400000000-add-decisions';
import { AddSegmentsAndPriors1790500000000 } from '../migrations/1790500000000-add-segments-and-priors';
import { AddAnnouncements1790600000000 } from '../migrations/1790600000000-add-announcements';
import { AddResponderCounts1790700000000 } from '../migrations/1790700000000-add-responder-counts';
import { ReadOneSnapshot1790800000000 } from '../migrations/1790800000000-read-one-snapshot';
import { AddSettledSums1790900000000 } from '../migrations/1790900000000-add-settled-sums';
import { AddFacts1791000000000 } from '../migrations/1791000000000-add-facts';
import { IndexFacts1791000100000 } from '../migrations/1791000100000-index-facts';
import { ReadExpiryOfEvents1791000200000 } from '../migrations/1791000200000-read-expiry-of-events';
import { PlanAnalyses1791000300000 } from '../migrations/1791000300000-plan-analyses';
import { ProfileEveryone1791000400000 } from '../migrations/1791000400000-profile-everyone';
import { CountCampaigns1791000500000 } from '../migrations/1791000500000-count-campaigns';
import { KeepLedger1791000600000 } from '../migrations/1791000600000-keep-ledger';
import { KeepEvidence1791000700000 } from '../migrations/1791000700000-keep-evidence';
import { FoldEvidence1791000800000 } from '../migrations/1791000800000-fold-evidence';
import { KeepErasures1791000900000 } from '../migrations/1791000900000-keep-erasures';
import { BoundKeys1791001000000 } from '../migrations/1791001000000-bound-keys';
import { AddAccounts1791001300000 } from '../migrations/1791001300000-add-accounts';
import { CountLots1791001490000 } from '../migrations/1791001490000-count-lots';
import { IndexDecisionsByAction1791001500000 } from '../migrations/1791001500000-index-decisions-by-action';
import { NoteAnalyses1791001600000 } from '../migrations/1791001600000-note-analyses';
import { LogAdministration1791001700000 } from '../migrations/1791001700000-log-administration';
import { ListSuppressions1791001800000 } from '../migrations/1791001800000-list-suppressions';
import { KeepStrata1791002000000 } from '../migrations/1791002000000-keep-strata';
import { KeepEvidenceWeeks1791002100000 } from '../migrations/1791002100000-keep-evidence-weeks';
import { AddSources1791002200000 } from '../migrations/1791002200000-add-sources';
import { KeepJudgements1791002300000 } from '../migrations/1791002300000-keep-judgements';
import { VacuumCounts1791002400000 } from '../migrations/1791002400000-vacuum-counts';
import { AddWebhooks1791002600000 } from '../migrations/1791002600000-add-webhooks';
import { RememberVisits1791002700000 } from '../migrations/1791002700000-remember-visits';
import { NameSourcesOfEvents1791002800000 } from '../migrations/1791002800000-name-sources-of-events';
import { IndexWaitingFacts1791002810000 } from '../migrations/1791002810000-index-waiting-facts';
import { TellWhySuppressed1791002900000 } from '../migrations/1791002900000-tell-why-suppressed';
import { IndexCauses1791002910000 } from '../migrations/1791002910000-index-causes';
import { CountOutcomes1791003000000 } from '../migrations/1791003000000-count-outcomes';
import { TellAction1791003100000 } from '../migrations/1791003100000-tell-action';
import { IndexAction1791003110000 } from '../migrations/1791003110000-index-action';
import { IndexNextMessage1791003200000 } from '../migrations/1791003200000-index-next-message';
import { IndexCampaigns1791003300000 } from '../migrations/1791003300000-index-campaigns';
import { CountCalls1791003400000 } from '../migrations/1791003400000-count-calls';
import { TellCountedOutcomes1791003500000 } from '../migrations/1791003500000-tell-counted-outcomes';
import { IndexRequestedCalls1791003600000 } from '../migrations/1791003600000-index-requested-calls';
import { DecideAgain1791003700000 } from '../migrations/1791003700000-decide-again';
import { NameAddressesInIds1791003800000 } from '../migrations/1791003800000-name-addresses-in-ids';
import { IndexAddressesInIds1791003810000 } from '../migrations/1791003810000-index-addresses-in-ids';
import { TellInviters1791003900000 } from '../migrations/1791003900000-tell-inviters';
import { RelinkAccounts1791003910000 } from '../migrations/1791003910000-relink-accounts';
import { MarkReauthentications1791003920000 } from '../migrations/1791003920000-mark-reauthentications';
import { SweepAccounts1791003930000 } from '../migrations/1791003930000-sweep-accounts';
import { IndexEndedSignIns1791003940000 } from '../migrations/1791003940000-index-ended-sign-ins';
import { NumberChannelStates1791004000000 } from '../migrations/1791004000000-number-channel-states';
import { OrderRuns1791004010000 } from '../migrations/1791004010000-order-runs';
import { IndexNewestCampaigns1791004100000 } from '../migrations/1791004100000-index-newest-campaigns';
import { TellBegunRuns1791004200000 } from '../migrations/1791004200000-tell-begun-runs';
import { IndexBegunRuns1791004210000 } from '../migrations/1791004210000-index-begun-runs';
import { TellBoundsOfReplies1791004300000 } from '../migrations/1791004300000-tell-bounds-of-replies';
import { ProfileThoseLeftOut1791004400000 } from '../migrations/1791004400000-profile-those-left-out';
import { FollowCampaigns1791004500000 } from '../migrations/1791004500000-follow-campaigns';
import { TellSubjects1791004600000 } from '../migrations/1791004600000-tell-subjects';
import { TakeNewestIndustry1791004700000 } from '../migrations/1791004700000-take-newest-industry';
import { IndexNextByAddress1791004800000 } from '../migrations/1791004800000-index-next-by-address';

/** All migrations, the first one first. */
export const MIGRATIONS = [
  CreateSchema1790000000000,
  AddAuditSeals1790100000000,
  ExtendIngestion1790200000000,
  AddWeekDigests1790300000000,
  AddDecisions1790400000000,
  AddSegmentsAndPriors1790500000000,
  AddAnnouncements1790600000000,
  AddResponderCounts1790700000000,
  ReadOneSnapshot1790800000000,
  AddSettledSums1790900000000,
  AddFacts1791000000000,
  IndexFacts1791000100000,
  ReadExpiryOfEvents1791000200000,
  PlanAnalyses1791000300000,
  ProfileEveryone1791000400000,
  CountCampaigns1791000500000,
  KeepLedger1791000600000,
  KeepEvidence1791000700000,
  FoldEvidence1791000800000,
  KeepErasures1791000900000,
  BoundKeys1791001000000,
  AddAccounts1791001300000,
  CountLots1791001490000,
  IndexDecisionsByAction1791001500000,
  NoteAnalyses1791001600000,
  LogAdministration1791001700000,
  ListSuppressions1791001800000,
  KeepStrata1791002000000,
  KeepEvidenceWeeks1791002100000,
  AddSources1791002200000,
  KeepJudgements1791002300000,
  VacuumCounts1791002400000,
  AddWebhooks1791002600000,
  RememberVisits1791002700000,
  NameSourcesOfEvents1791002800000,
  IndexWaitingFacts1791002810000,
  TellWhySuppressed1791002900000,
  IndexCauses1791002910000,
  CountOutcomes1791003000000,
  TellAction1791003100000,
  IndexAction1791003110000,
  IndexNextMessage1791003200000,
  IndexCampaigns1791003300000,
  CountCalls1791003400000,
  TellCountedOutcomes1791003500000,
  IndexRequestedCalls1791003600000,
  DecideAgain1791003700000,
  NameAddressesInIds1791003800000,
  IndexAddressesInIds1791003810000,
  TellInviters1791003900000,
  RelinkAccounts1791003910000,
  MarkReauthentications1791003920000,
  SweepAccounts1791003930000,
  IndexEndedSignIns1791003940000,
  NumberChannelStates1791004000000,
  OrderRuns1791004010000,
  IndexNewestCampaigns1791004100000,
  TellBegunRuns1791004200000,
  IndexBegunRuns1791004210000,
  TellBoundsOfReplies1791004300000,
  ProfileThoseLeftOut1791004400000,
  FollowCampaigns1791004500000,
  TellSubjects1791004600000,
  TakeNewestIndustry1791004700000,
  IndexNextByAddress1791004800000,
];
