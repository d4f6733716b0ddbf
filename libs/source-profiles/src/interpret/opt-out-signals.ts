import { yesOrNo } from './read-path';

/** Keys whose yes, or whose time, says that somebody opted out. Written in small letters without anything between them. */
const FLAG =
  /^(?:is|has|was|lead|contact|prospect|person|recipient|email|time|date)*(?:unsubscribed?|opt(?:ed)?out|donot(?:contact|email|mail)|dnc|complain(?:t|ed)|spam(?:complaint|report|reported)|markedasspam|(?:block|black)listed|removalrequested)(?:at|on|date|time|timestamp)?$/;
/** Keys whose text names what happened, or what somebody is. */
const LABEL =
  /(?:type|event|method|name|action|status|state|category|labels?|tags?|reason|disposition|topic|trigger|activity|outcome|result)$/;
/** Names of campaigns and lists are no news. */
const NAME_OF_OTHERS =
  /(?:campaign|sequence|cadence|workspace|list|template|account|user|company|first|last|full)name$/;
/** What counts for many, or is about those who write. */
const ABOUT_OTHERS =
  /campaign|sequence|workspace|account|stat(?:s|istics)$|counts?$|summary|totals?$|settings/;
const SAYS =
  /\b(?:unsubscrib\w*|opt(?:ed|s|ing)? ?out|do not (?:contact|e?mail|call)|dnc|complain\w*|spam report\w*|(?:reported|marked)(?: as)? spam|(?:block|black) ?list(?:ed)?|remove me|remov(?:e|al) request\w*|removal|asked to be removed|erasure request\w*)\b/;
const TAKES_BACK =
  /\b(?:re ?subscrib\w*|not unsubscribed|opt(?:ed|s)? ?(?:back )?in|un ?block\w*|undo|undone|revoked)\b/;
/** Longer texts are what people wrote, and are read by nobody here. */
const MAX_LABEL = 120;
const DATE = /^\d{4}-\d{2}-\d{2}/;
/** Seconds since 1970, of the year 2001: a smaller number is no time. */
const FIRST_TIME = 1e9;

/** Whether anything in a record says that its recipient does not want to be written to. */
export function tellsOptOut(record: unknown): boolean {
  if (typeof record !== 'object' || record === null) return false;
  return Object.entries(record).some(([key, value]) => {
    const name = key.toLowerCase().replace(/[^a-z]/g, '');
    if (Array.isArray(value))
      return value.some((one) => (typeof one === 'string' ? isLabel(name, one) : tellsOptOut(one)));
    if (typeof value === 'object') return !ABOUT_OTHERS.test(name) && tellsOptOut(value);
    return FLAG.test(name) ? isSet(value) : typeof value === 'string' && isLabel(name, value);
  });
}

/** A yes or a time; a number that is neither counts something. */
function isSet(value: unknown): boolean {
  if (yesOrNo(value) === true) return true;
  return (typeof value === 'string' && DATE.test(value.trim())) || Number(value) > FIRST_TIME;
}

function isLabel(name: string, text: string): boolean {
  if (!LABEL.test(name) || NAME_OF_OTHERS.test(name) || text.length > MAX_LABEL) return false;
  const words = text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ');
  return SAYS.test(words) && !TAKES_BACK.test(words);
}
