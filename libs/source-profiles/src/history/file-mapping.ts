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

/** Makes events of a file of one tool, which is read twice: every record is noted first, then mapped. */
export class FileMapping {
  private readonly history = new FileHistory();
  private newestMs = -Infinity;

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

  /**
   * Takes in what single records cannot know of one another.
   * @param row - position of the record in the file
   * @returns what it would become as far as is known so far
   */
  note(route: Route, record: SourceRecord, row: number): Mapped {
    const context = { ...this.given, tool: this.profile.tool, history: this.history };
    noteRecord(route, record, context, row);
    const newest = newestTimeIn(route, record, context, this.nowMs);
    if (newest !== undefined) this.newestMs = Math.max(this.newestMs, newest);
    return mapRecord(route, record, context, row);
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
