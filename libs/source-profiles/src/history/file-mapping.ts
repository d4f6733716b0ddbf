import { OF_THE_FILE, type RecordFault } from '../interpret/fault';
import {
  mapRecord,
  noteRecord,
  type MapContext,
  type Mapped,
  type MappedEvent,
} from '../interpret/map-record';
import { newestTimeIn } from '../interpret/newest-time';
import type { SourceRecord } from '../interpret/read-path';
import { stickingBeside } from '../interpret/sticking';
import type { Route, SourceProfile } from '../profile';
import { FileHistory } from './file-history';

/** What a record of a file becomes. */
export interface MappedRecord {
  readonly mapped: Mapped;
  /** Opt-outs and bounces beside it: they count also where it is skipped or at fault. */
  readonly sticking: readonly MappedEvent[];
}

/** A fault that more rows of the same file would have, too. */
export interface FileFault extends RecordFault {
  /** The first that has it. */
  readonly row: number;
}

/** Makes events of a file of one tool, which is read twice: every record is noted first, then mapped. */
export class FileMapping {
  private readonly history = new FileHistory();
  private newestMs = -Infinity;
  private unclear: FileFault | undefined;
  private unbounded: FileFault | undefined;

  /** @param nowMs - when it is read, milliseconds since 1970: what is ahead of it says nothing of when the file was made */
  constructor(
    private readonly profile: SourceProfile,
    private readonly given: Omit<MapContext, 'tool' | 'history' | 'isReduced'>,
    private readonly nowMs: number,
  ) {}

  /** Up to when the file tells what happened: as given, or its newest time so far; ISO 8601. */
  get observedUntil(): string | undefined {
    const newest = this.newestMs === -Infinity ? undefined : new Date(this.newestMs).toISOString();
    return this.given.observedUntil ?? newest;
  }

  /** What its reader has to say before anything is sent, when every record was noted. */
  get fault(): FileFault | undefined {
    return this.unclear ?? (this.observedUntil === undefined ? this.unbounded : undefined);
  }

  /**
   * Takes in what single records cannot know of one another.
   * @param row - position of the record in the file
   * @returns the fault of the file that no later record can resolve, where there is one: the rest need not be read
   */
  note(route: Route, record: SourceRecord, row: number): FileFault | undefined {
    const context = { ...this.given, tool: this.profile.tool, history: this.history };
    noteRecord(route, record, context, row);
    const newest = newestTimeIn(route, record, context, this.nowMs);
    if (newest !== undefined) this.newestMs = Math.max(this.newestMs, newest);
    const mapped = mapRecord(route, record, context, row);
    for (const fault of 'faults' in mapped ? mapped.faults : []) {
      if (fault.code === 'OBSERVED_UNTIL_NEEDED') this.unbounded ??= { ...fault, row };
      else if (OF_THE_FILE.has(fault.code)) this.unclear ??= { ...fault, row };
    }
    return this.unclear;
  }

  /** @param route - undefined where the record is of none */
  map(route: Route | undefined, record: SourceRecord, row: number): MappedRecord {
    const { profile, observedUntil } = this;
    const context = { ...this.given, tool: profile.tool, history: this.history, observedUntil };
    const mapped = route ? mapRecord(route, record, context, row) : { skipped: 'unknown_type' };
    const made = 'events' in mapped ? mapped.events : [];
    // Where nothing has a time, the file is older than its reading.
    const until = observedUntil ?? new Date(this.nowMs).toISOString();
    return { mapped, sticking: stickingBeside(profile, route, record, made, context, until) };
  }
}
