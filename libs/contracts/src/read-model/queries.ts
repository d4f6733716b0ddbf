import type { Channel } from '../outcomes/dimensions';
import type { EvidenceTier } from './documents';

/**
 * Arguments of the questions whose answers stand in results.ts. Names are those of the MCP tools and of the REST
 * query strings; the tenant is never among them, it comes with the scope.
 */

export interface BanditStateQuery {
  readonly channel?: Channel;
  /** A position bucket or a job title, which is taken for its bucket; any other text matches no arm. */
  readonly position?: string;
  /** 1 to 100, default 10. */
  readonly top_n?: number;
}

export interface DriftStateQuery {
  readonly channel?: Channel;
  /** 7 to 90, default 14: length of the recent period whose rates are shown. It does not change the verdict. */
  readonly window_days?: number;
}

export interface CampaignRecommendationsQuery {
  /** Echoed only: recommendations are company-wide. */
  readonly campaign_id?: string;
  readonly channel?: Channel;
  readonly direction?: 'all' | 'do_more' | 'avoid';
  readonly min_evidence_tier?: EvidenceTier;
  /** 1 to 51, default 10. */
  readonly limit?: number;
}

export interface CampaignHealthQuery {
  readonly campaign_id: string;
  /** 1 to 365, default 30. */
  readonly window_days?: number;
  readonly channel?: Channel;
}

export interface WorkflowDecisionsQuery {
  readonly contact_id?: string;
  readonly campaign_id?: string;
  readonly since?: string;
  readonly until?: string;
  /** 1 to 50, default 8. */
  readonly limit?: number;
  readonly cursor?: string;
  /** Whether each decision carries what proves it; default false. */
  readonly include_replay?: boolean;
}

export interface RecipientIntelligenceQuery {
  readonly contact_id: string;
  readonly channel?: Channel;
}

export interface ActionAuditLogQuery {
  readonly tool?: string;
  readonly status?: 'success' | 'error';
  readonly since?: string;
  readonly until?: string;
  /** 1 to 100, default 15. */
  readonly limit?: number;
  readonly cursor?: string;
}

export interface CampaignListQuery {
  /** 1 to 365, default 30. */
  readonly window_days?: number;
  /** 1 to 100, default 20. */
  readonly limit?: number;
  readonly cursor?: string;
}
