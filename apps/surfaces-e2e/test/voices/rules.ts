import { RULES_OF_REFUSALS } from './asked-wrongly';
import type { Rule } from './comparing';
import { RULES_OF_CAMPAIGNS } from './rules-of-campaigns';
import { RULES_OF_CHANGES } from './rules-of-changes';
import { RULES_OF_CONTACTS } from './rules-of-contacts';
import { RULES_OF_DOCUMENTS } from './rules-of-documents';
import { RULES_OF_EVIDENCE } from './rules-of-evidence';
import { RULES_OF_NUMBERS } from './rules-of-numbers';
import { RULES_OF_PROSE } from './rules-of-prose';
import { RULES_OF_RECIPIENTS } from './rules-of-recipients';
import { RULES_OF_TIMES } from './rules-of-times';
import { RULES_OF_TRUST } from './rules-of-trust';
import { RULES_OF_WAYS } from './rules-of-ways';

/** Everything that the answers about one company must agree on. */
export const RULES: readonly Rule[] = [
  ...RULES_OF_WAYS,
  ...RULES_OF_REFUSALS,
  ...RULES_OF_TIMES,
  ...RULES_OF_TRUST,
  ...RULES_OF_CHANGES,
  ...RULES_OF_CAMPAIGNS,
  ...RULES_OF_CONTACTS,
  ...RULES_OF_DOCUMENTS,
  ...RULES_OF_EVIDENCE,
  ...RULES_OF_RECIPIENTS,
  ...RULES_OF_NUMBERS,
  ...RULES_OF_PROSE,
];
