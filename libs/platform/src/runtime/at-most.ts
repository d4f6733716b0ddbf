const oneEach = () => 1;

/**
 * Options of an LRUCache (lru-cache) that holds so many entries at most. Its own `max` takes memory for all of them at once:
 * 8 to 11 MB of each service.
 */
export const atMost = (entries: number) => ({ maxSize: entries, sizeCalculation: oneEach });
