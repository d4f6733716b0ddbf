import type { SegmentDocument } from '@outcomes/contracts';

/** What is known of a recipient that could place them in a segment. */
export interface Placeable {
  readonly position: string;
  readonly industry: string | null;
}

/** @returns index of the recipient's segment, -1 where there is none */
export function segmentIndexOf(document: SegmentDocument | undefined, recipient: Placeable): number {
  if (!document || document.attribute === null) return -1;
  const value = document.attribute === 'industry' ? recipient.industry : recipient.position;
  return value === null ? -1 : document.segments.findIndex(({ values }) => values.includes(value));
}
