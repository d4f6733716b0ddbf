import { square } from '../numerics/square';
import { type ComparedRow, GroupLeans } from './group-leans';

/** How much more campaigns, and the texts of one, differ among themselves than replies by chance do. */
export interface Dispersion {
  /** >= 1: what the variance is to be multiplied by */
  readonly factor: number;
  /** degrees of freedom that it was estimated with, per degree of the test; 0 where it cannot be estimated */
  readonly units: number;
}

/** Scores of every group and level, as sums over comparisons and campaigns. Coordinate = group * levels + level. */
export class PreferenceScores {
  readonly leans: GroupLeans;
  private readonly comparisons: Spread;
  private readonly campaigns: Spread;

  constructor(groups: number, levels: number) {
    this.leans = new GroupLeans(groups, levels);
    this.comparisons = new Spread(this.leans.size);
    this.campaigns = new Spread(this.leans.size);
  }

  /** Rows that were sent the same texts. */
  add(rows: readonly ComparedRow[]): void {
    this.leans.add(rows);
    this.comparisons.closeUnit(this.leans);
  }

  /** What was added since the last one is one campaign. */
  endCampaign(): void {
    this.campaigns.closeUnit(this.leans);
  }

  /**
   * Mean square of what comparisons say around what they say together, against what chance makes of it, and what campaigns
   * say more than that: as large as the variance of the sums is too small where a group takes to some texts, or to all
   * of a campaign, for reasons of their own. One campaign alone says nothing of others. Degrees of freedom are those of
   * the two parts, by Satterthwaite (1946), Biometrics Bulletin 2, 110-114.
   * @param coordinates - those that count
   */
  dispersion(coordinates: readonly number[]): Dispersion {
    const { campaigns, comparisons, leans } = this;
    const [ofCampaigns, ofComparisons] = [
      campaigns.factor(leans, coordinates),
      comparisons.factor(leans, coordinates),
    ];
    if (ofCampaigns === undefined || ofComparisons === undefined) return { factor: 1, units: 0 };
    const within = Math.max(1, ofComparisons);
    const between = Math.max(0, ofCampaigns - within);
    const factor = within + between;
    const units = square(factor) / (square(within) / comparisons.others + square(between) / campaigns.others);
    return { factor, units };
  }
}

const ROUNDING = 1e-9;

/** How units differ around their sum, from sums of squares and products over them per coordinate. */
class Spread {
  private readonly scores2: Float64Array;
  private readonly scoreSlopes: Float64Array;
  private readonly slopes2: Float64Array;
  private readonly varianceSlopes: Float64Array;
  /** score, slope and variance of all units before the one that is being added */
  private readonly before: readonly [Float64Array, Float64Array, Float64Array];
  private readonly slopes = { sum: 0, squares: 0 };

  constructor(private readonly size: number) {
    const none = () => new Float64Array(size);
    [this.scores2, this.scoreSlopes, this.slopes2, this.varianceSlopes] = [none(), none(), none(), none()];
    this.before = [none(), none(), none()];
  }

  /** What was added to the sums since the last one is one unit. */
  closeUnit(sums: GroupLeans): void {
    const [scores, slopes, variances] = this.before;
    let said = 0;
    for (let i = 0; i < this.size; i++) {
      const variance = sums.variance[i * this.size + i] as number;
      const u = (sums.score[i] as number) - (scores[i] as number);
      const j = (sums.slope[i] as number) - (slopes[i] as number);
      add(this.scores2, i, square(u));
      add(this.scoreSlopes, i, u * j);
      add(this.slopes2, i, square(j));
      add(this.varianceSlopes, i, (variance - (variances[i] as number)) * j);
      said += j;
      scores[i] = sums.score[i] as number;
      slopes[i] = sums.slope[i] as number;
      variances[i] = variance;
    }
    this.slopes.sum += said;
    this.slopes.squares += square(said);
  }

  /** Units less one, as if all said as much. */
  get others(): number {
    return this.slopes.squares > 0 ? square(this.slopes.sum) / this.slopes.squares - 1 : 0;
  }

  /** What the variance would have to be multiplied by; undefined where one unit says it all. */
  factor({ score, slope, variance }: GroupLeans, coordinates: readonly number[]): number | undefined {
    let [around, chance] = [0, 0];
    for (const i of coordinates) {
      const [j, v] = [slope[i] as number, variance[i * this.size + i] as number];
      const lean = (score[i] as number) / j;
      const slopes2 = this.slopes2[i] as number;
      around +=
        (this.scores2[i] as number) - 2 * lean * (this.scoreSlopes[i] as number) + square(lean) * slopes2;
      chance += v - (2 * (this.varianceSlopes[i] as number)) / j + (v * slopes2) / square(j);
    }
    return this.others > ROUNDING && chance > 0 ? around / chance : undefined;
  }
}

function add(sums: Float64Array, at: number, value: number): void {
  sums[at] = (sums[at] as number) + value;
}
