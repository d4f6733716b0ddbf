import type { Document, Said, Voice } from './voices';

/** A contradiction that answers once had, put back into answers that have none. */
export interface PlantedContradiction {
  readonly name: string;
  /** The rule that has to find it. */
  readonly foundBy: string;
  readonly where: (voice: Voice, said: Said) => boolean;
  /** Changes the copy of an answer; in all answers that match `where`, or in the first. */
  readonly plant: (data: Document, voice: Voice) => void;
  readonly inAll?: boolean;
  /** Among answers to what is on the edge of being refused. */
  readonly atEdge?: boolean;
}

/** What was said, with the contradiction in it; undefined where nothing that was said could have it. */
export function planted(
  { where, plant, inAll = false, atEdge = false }: PlantedContradiction,
  said: Said,
): Said | undefined {
  let many = 0;
  const change = (voice: Voice): Voice => {
    if ((many > 0 && !inAll) || !where(voice, said)) return voice;
    many += 1;
    const copy = structuredClone({ ...voice, frame: undefined });
    plant(copy.data, copy);
    return { ...copy, frame: voice.frame === voice.data ? copy.data : voice.frame };
  };
  const wrong = atEdge
    ? { ...said, edges: said.edges.map(change) }
    : { ...said, voices: said.voices.map((voice) => (voice.data === undefined ? voice : change(voice))) };
  return many > 0 ? wrong : undefined;
}
