/**
 * The day of a change as every sentence names it, for people and for agents. It is the likeliest first day, and where a change
 * is found late or in few replies the true one may lie days before or after it.
 * @param day - `since` of a change, however it is written
 */
export function aroundDay(day: string): string {
  return `around ${day}`;
}
