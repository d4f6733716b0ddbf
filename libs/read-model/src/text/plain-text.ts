import { cleanText } from './clean-text';

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

/** A pattern's title or message without its markup. The markup is b, em, strong and code; all else is escaped. */
export function plainText(html: string): string {
  const bare = html.replace(/<\/?(?:b|em|strong|code)>/g, '');
  return cleanText(bare.replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? entity));
}
