import { NumberReader, NumberWriter } from '@outcomes/persistence';
import type { VariantCounts } from '@outcomes/statistics';

/** Packs the variants of one campaign. @param variants - in the order of the fortnights, then of the packed counts */
export function packVariants(variants: readonly VariantCounts[]): Buffer {
  const names = [...new Set(variants.map(({ variant }) => variant))].sort();
  const places = new Map(names.map((name, place) => [name, place]));
  const writer = new NumberWriter(256);
  writer.count(names.length);
  for (const name of names) writer.bytes(Buffer.from(name));
  writer.count(variants.length);
  for (const { variant, fortnight, step, position, channel, n, y } of variants) {
    writer.count(places.get(variant) ?? 0);
    writer.signed(fortnight);
    for (const count of [step, position, channel, n, y]) writer.count(count);
  }
  return writer.finish();
}

/** @param campaign - number that the counts are to bear */
export function unpackVariants(bytes: Buffer, campaign: number): VariantCounts[] {
  const reader = new NumberReader(bytes);
  const names = Array.from({ length: reader.count() }, () => reader.bytes().toString());
  return Array.from({ length: reader.count() }, () => {
    const variant = names[reader.count()] ?? '';
    const fortnight = reader.signed();
    const [step, position, channel] = [reader.count(), reader.count(), reader.count()];
    return { campaign, variant, fortnight, step, position, channel, n: reader.count(), y: reader.count() };
  });
}
