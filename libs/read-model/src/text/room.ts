/** Bytes of a value on the wire. */
export function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** The first of some items, as many as there is room for. */
export function thatFit<Item>(items: readonly Item[], roomBytes: number): Item[] {
  let bytes = 0;
  const tooMany = items.findIndex((item) => {
    bytes += bytesOf(item);
    return bytes > roomBytes;
  });
  return tooMany === -1 ? [...items] : items.slice(0, tooMany);
}
