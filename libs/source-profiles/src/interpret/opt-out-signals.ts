import { yesOrNo } from './read-path';

interface Signals {
  /** Keys whose yes, or whose time, says so. */
  readonly flag: RegExp;
  /** Words of labels; none where labels do not count. */
  readonly says?: RegExp;
}

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
/** Of these the reports of spam. */
const COMPLAINT: Signals = {
  flag: /(?:complain(?:t|ed)|spam(?:complaint|report|reported)|markedasspam)(?:at|on|date|time|timestamp)?$/,
  says: /\b(?:complain\w*|spam report\w*|(?:reported|marked)(?: as)? spam)\b/,
};
const TAKES_BACK =
  /\b(?:re ?subscrib\w*|not unsubscribed|opt(?:ed|s)? ?(?:back )?in|un ?block\w*|undo|undone|revoked)\b/;
/** Longer texts are what people wrote, and are read by nobody here. */
const MAX_LABEL = 120;
const DATE = /^\d{4}-\d{2}-\d{2}/;
/** Seconds since 1970, of the year 2001: a smaller number is no time. */
const FIRST_TIME = 1e9;

const OPT_OUT: Signals = { flag: FLAG, says: SAYS };

/** Whether anything in a record says that its recipient does not want to be written to. */
export const tellsOptOut = (record: unknown): boolean => tells(record, OPT_OUT);

/** Whether anything in a record that tells of an opt-out says that a mail was reported as spam. */
export const tellsComplaint = (record: unknown): boolean => tells(record, COMPLAINT);

/** The same of flags and times, without labels. */
export const flagsOptOut = (record: unknown): boolean => tells(record, { flag: OPT_OUT.flag });
export const flagsComplaint = (record: unknown): boolean => tells(record, { flag: COMPLAINT.flag });

function tells(record: unknown, signals: Signals): boolean {
  if (typeof record !== 'object' || record === null) return false;
  return Object.entries(record).some(([key, value]) => {
    const name = key.toLowerCase().replace(/[^a-z]/g, '');
    if (Array.isArray(value))
      return value.some((one) =>
        typeof one === 'string' ? isLabel(name, one, signals) : tells(one, signals),
      );
    if (typeof value === 'object') return !ABOUT_OTHERS.test(name) && tells(value, signals);
    // A flag is no label: of a text in it only yes and times are read.
    if (FLAG.test(name)) return signals.flag.test(name) && isSet(value);
    return typeof value === 'string' && isLabel(name, value, signals);
  });
}

/** A yes or a time; a number that is neither counts something. */
function isSet(value: unknown): boolean {
  if (yesOrNo(value) === true) return true;
  return (typeof value === 'string' && DATE.test(value.trim())) || Number(value) > FIRST_TIME;
}

function isLabel(name: string, text: string, { says }: Signals): boolean {
  if (says === undefined || !LABEL.test(name) || NAME_OF_OTHERS.test(name) || text.length > MAX_LABEL)
    return false;
  const words = text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ');
  return says.test(words) && !TAKES_BACK.test(words);
}
