/** When the messages of a conversation were sent: milliseconds since 1970, ascending once they are asked for. */
interface Conversation {
  times: number[];
  isSorted: boolean;
}

interface Owner {
  readonly row: number;
  readonly sentMs: number;
}

/** Where a fact of a conversation belongs. */
export interface PlaceInConversation {
  /** Zero-based: how many messages of the conversation were sent before. */
  readonly step: number;
  readonly sentMs: number;
}

/**
 * What the reading of a whole file tells about single records of it: which of several rows a reply stands for, and which
 * message of a conversation a mail is. Records are noted in a first reading and looked up in a second, so their order in
 * the file says nothing. It holds a number per message of conversations and an entry per reply, and nothing else.
 */
export class FileHistory {
  private readonly conversations = new Map<string, Conversation>();
  private readonly owners = new Map<string, Owner>();

  noteSent(conversation: string, sentMs: number): void {
    const known = this.conversations.get(conversation);
    if (known) {
      known.times.push(sentMs);
      known.isSorted = false;
    } else this.conversations.set(conversation, { times: [sentMs], isSorted: true });
  }

  /**
   * Notes that a row tells a fact that other rows may tell too.
   * @param key - what they agree in
   * @param row - position of the record in the file
   * @param sentMs - when the message of the row was sent
   * @param atMs - when the fact happened
   */
  noteOnce(key: string, row: number, sentMs: number, atMs: number): void {
    const known = this.owners.get(key);
    const fits = sentMs <= atMs;
    if (known && (!fits || known.sentMs >= sentMs)) return;
    this.owners.set(key, { row, sentMs: fits ? sentMs : -Infinity });
  }

  /** Whether this row is the one that tells it: of the rows with that fact the one of the newest message before it. */
  isTold(key: string, row: number): boolean {
    const owner = this.owners.get(key);
    return owner === undefined || owner.row === row;
  }

  /** The newest message of a conversation that was sent by a time; undefined where none was. */
  newestBy(conversation: string, atMs: number): PlaceInConversation | undefined {
    const known = this.conversations.get(conversation);
    if (!known) return undefined;
    if (!known.isSorted) {
      known.times = [...new Set(known.times)].sort((a, b) => a - b);
      known.isSorted = true;
    }
    const step = known.times.findLastIndex((sentMs) => sentMs <= atMs);
    const sentMs = known.times[step];
    return sentMs === undefined ? undefined : { step, sentMs };
  }
}
