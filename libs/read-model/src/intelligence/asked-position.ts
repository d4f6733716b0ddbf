import { POSITIONS, positionOf, type Position } from '@outcomes/contracts';

/**
 * The bucket that a caller means: one by its name, however it is written, or the one of a job title.
 * @returns undefined where it is neither
 */
export function askedPosition(text: string): Position | undefined {
  const name = text
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
  const bucket = POSITIONS.find((position) => position === name);
  if (bucket !== undefined) return bucket;
  const { position } = positionOf(text);
  return position === 0 ? undefined : POSITIONS[position];
}
