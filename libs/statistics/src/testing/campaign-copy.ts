import { drawIndex, drawNormal, type Rng } from '../random';
import type { CompanyModel } from './company-model';
import type { CopyPlan } from './company-spec';

const DEFAULT_TEXTS = 2;
const LARGEST_SEED = 2_147_483_648;

/** What a campaign and one of its texts decide about a message; the rest is chosen message by message. */
export interface PlannedCopy {
  /** level names by dimension */
  readonly levels: Readonly<Record<string, string>>;
  /** what campaign and text add to the log-odds of a reply, whatever their levels */
  readonly logOdds: number;
  /** what it adds for each industry alone */
  readonly industryLogOdds: ReadonlyMap<string, number>;
  /** the same text is composed the same way */
  readonly seed: number;
}

/** Campaigns with their texts: each campaign is an audience of its own, and has some texts per step. */
export class CampaignCopy {
  private readonly texts: number;
  /** per campaign, step and text */
  private readonly planned: PlannedCopy[][][];

  constructor(
    plan: CopyPlan,
    { dimensions }: Pick<CompanyModel, 'dimensions'>,
    size: { readonly campaigns: number; readonly steps: number; readonly industries: readonly string[] },
    private readonly rng: Rng,
  ) {
    this.texts = plan.texts ?? DEFAULT_TEXTS;
    const draw = (names: readonly string[] = []): Record<string, string> =>
      Object.fromEntries(
        dimensions
          .filter(({ name }) => names.includes(name))
          .map(({ name, levels, shares }) => [name, levels[drawIndex(rng, shares)] as string]),
      );
    const effect = (sd = 0): number => sd * drawNormal(rng);
    this.planned = Array.from({ length: size.campaigns }, () => {
      const campaign = { levels: draw(plan.perCampaign), logOdds: effect(plan.campaignSd) };
      return Array.from({ length: size.steps }, () =>
        Array.from({ length: this.texts }, () => ({
          levels: { ...campaign.levels, ...draw(plan.perText) },
          logOdds: campaign.logOdds + effect(plan.textSd),
          seed: Math.floor(rng.next() * LARGEST_SEED),
          industryLogOdds: new Map(
            plan.industrySd === undefined
              ? []
              : size.industries.map((industry) => [industry, effect(plan.industrySd)]),
          ),
        })),
      );
    });
  }

  /** One of the texts of a campaign and step, each as likely as the others. */
  pick(campaign: number, step: number): PlannedCopy | undefined {
    return this.planned[campaign]?.[step]?.[Math.floor(this.rng.next() * this.texts)];
  }
}
