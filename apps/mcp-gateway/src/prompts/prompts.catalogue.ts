import { assessDataTrustPrompt } from './assess-data-trust.prompt';
import { briefOnContactPrompt } from './brief-on-contact.prompt';
import { diagnoseCampaignPrompt } from './diagnose-campaign.prompt';
import { planTodayPrompt } from './plan-today.prompt';

export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

/** A way of working for an agent: which tools in which order. Reading it is free of quota. */
export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /**
   * The instructions.
   * @param values - one string for each argument that was given
   * @param scheme - scheme of the reference resources
   */
  text(values: Readonly<Record<string, string>>, scheme: string): string;
}

export const PROMPTS: readonly Prompt[] = [
  diagnoseCampaignPrompt,
  assessDataTrustPrompt,
  briefOnContactPrompt,
  planTodayPrompt,
];
