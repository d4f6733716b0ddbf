/** x^2. The language leaves x ** 2 to the engine; a product has the same bits everywhere. */
export function square(x: number): number {
  return x * x;
}
