import { requireDomain } from '../numerics/stats-domain-error';
import type { TextCounts } from './evidence-counts';

/** Share of a campaign's messages from which on a text belongs to the campaign. */
const OWN_TEXT = 0.05;

/**
 * Groups campaigns that reuse each other's texts: what such campaigns have in common is not seen twice.
 *
 * Shapes: C campaigns in, a partition of them into at most C families out.
 * @param campaigns - numbers are unique; counts >= 0
 * @returns members of each family, ascending; families by their first member
 * @throws StatsDomainError with code `count`, `range` or `size`
 *
 * Two campaigns belong together where one text, told apart in whichever way, makes up 5 % or more of the messages of both,
 * and so do all that are linked by a chain of such pairs. The order of campaigns and texts changes nothing.
 * Reference: Galler and Fischer (1964), Communications of the ACM 7, 301-303 (union-find).
 *
 * @example
 * textFamilies([{ campaign: 4, texts: { ids: ['a'], n: [9] } }, { campaign: 7, texts: { ids: ['a', 'b'], n: [5, 5] } }]); // [[4, 7]]
 */
export function textFamilies(
  campaigns: readonly { readonly campaign: number; readonly texts: TextCounts | readonly TextCounts[] }[],
): number[][] {
  const parent = new Map<number, number>();
  for (const { campaign } of campaigns) parent.set(campaign, campaign);
  requireDomain(parent.size === campaigns.length, 'range', 'a campaign appears twice');
  const rootOf = (campaign: number): number => {
    let root = campaign;
    while (parent.get(root) !== root) root = parent.get(root) as number;
    parent.set(campaign, root);
    return root;
  };
  const ownersByWay: Map<number | string, number>[] = [];
  for (const { campaign, texts } of campaigns) {
    for (const [way, counts] of ('ids' in texts ? [texts] : texts).entries()) {
      const owners = (ownersByWay[way] ??= new Map());
      for (const id of ownTexts(counts)) {
        const owner = owners.get(id);
        if (owner === undefined) owners.set(id, campaign);
        else {
          const [a, b] = [rootOf(owner), rootOf(campaign)];
          parent.set(Math.max(a, b), Math.min(a, b));
        }
      }
    }
  }
  const families = new Map<number, number[]>();
  for (const campaign of [...parent.keys()].sort((a, b) => a - b)) {
    const root = rootOf(campaign);
    const family = families.get(root);
    if (family) family.push(campaign);
    else families.set(root, [campaign]);
  }
  return [...families.values()];
}

function ownTexts({ ids, n }: TextCounts): readonly (number | string)[] {
  requireDomain(ids.length === n.length, 'size', 'every text needs its number of messages');
  let all = 0;
  for (let i = 0; i < n.length; i++) {
    const count = n[i] as number;
    requireDomain(
      Number.isSafeInteger(count) && count >= 0,
      'count',
      'messages of a text are whole numbers >= 0',
    );
    all += count;
  }
  if (new Set(ids).size === ids.length) {
    return ids.filter((_, i) => (n[i] as number) > 0 && (n[i] as number) >= OWN_TEXT * all);
  }
  const totals = new Map<number | string, number>();
  ids.forEach((id, i) => totals.set(id, (totals.get(id) ?? 0) + (n[i] as number)));
  return [...totals].flatMap(([id, count]) => (count > 0 && count >= OWN_TEXT * all ? [id] : []));
}
