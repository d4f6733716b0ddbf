import type { EvidenceWorld } from '../testing';
import { changeResult, type EvidenceChangeResult, replayChange } from './evidence-changes';
import type { EvidenceMutation } from './evidence-replay';
import { type EvidenceWorldResult, replayClaims, worldResult } from './evidence-world-result';
import { replayVariants, type VariantResult, variantResult } from './variant-replay';

/** What can be seen of one company. What comes out depends on world, seed and mutation alone. */
const REPLAYS = { claims: replayClaims, change: replayChange, variants: replayVariants };

export type ReplayKind = keyof typeof REPLAYS;
type Replayed<Kind extends ReplayKind> = ReturnType<(typeof REPLAYS)[Kind]>;

/** Companies of one world, by their seeds. */
export interface CompanyRange {
  readonly world: EvidenceWorld;
  readonly mutation: EvidenceMutation;
  /** seed of the first company; the others follow it */
  readonly seed: number;
  readonly runs: number;
}

/** Replays companies one after another and returns what was seen of each, in their order. */
export function replayCompanies<Kind extends ReplayKind>(
  kind: Kind,
  { world, mutation, seed, runs }: CompanyRange,
): Replayed<Kind>[] {
  const replay = REPLAYS[kind] as (...company: Parameters<typeof replayClaims>) => Replayed<Kind>;
  return Array.from({ length: runs }, (_, run) => replay(world, seed + run, mutation));
}

/** Replays companies wherever there is a processor to spare; `replayCompanies` does it here and now. */
export type CompanyReplay = <Kind extends ReplayKind>(
  kind: Kind,
  range: CompanyRange,
) => Replayed<Kind>[] | Promise<Replayed<Kind>[]>;

/** Companies of worlds of evidence, and what was seen of them together. */
export class EvidenceSimulation {
  constructor(private readonly replay: CompanyReplay = replayCompanies) {}

  async claims(
    world: EvidenceWorld,
    runs: number,
    seed: number,
    mutation: EvidenceMutation = {},
  ): Promise<EvidenceWorldResult> {
    return worldResult(world, await this.replay('claims', { world, mutation, seed, runs }));
  }

  /** @param world - with the effect of `CHANGING_CODE` from one day until another */
  async change(
    world: EvidenceWorld,
    runs: number,
    seed: number,
    mutation: EvidenceMutation = {},
  ): Promise<EvidenceChangeResult> {
    return changeResult(world, await this.replay('change', { world, mutation, seed, runs }));
  }

  async variants(world: EvidenceWorld, runs: number, seed: number): Promise<VariantResult> {
    return variantResult(await this.replay('variants', { world, mutation: {}, seed, runs }));
  }
}
