import { randomUUID } from 'node:crypto';
import type { Permission } from '@outcomes/contracts';
import type { RequestParts } from '@outcomes/testing';

export interface Endpoint {
  readonly name: string;
  /** Of its tests. */
  readonly folder: string;
  readonly path: string;
  /** A request that is right but for what the test changes. */
  readonly parts: RequestParts;
  readonly permission: Permission;
}

/** Every endpoint of the service that takes a key. */
export const ENDPOINTS: readonly Endpoint[] = [
  {
    name: 'POST /ingest/events',
    folder: 'post-events',
    path: '/ingest/events',
    parts: { headers: { 'Content-Type': 'application/json' }, body: '{"events":[]}' },
    permission: 'events_write',
  },
  {
    name: 'POST /ingest/csv',
    folder: 'post-csv',
    path: '/ingest/csv',
    parts: {
      headers: { 'Content-Type': 'text/csv' },
      body: 'channel,sequence_step,recipient_id,sent_at,outcome_at,outcome',
    },
    permission: 'events_write',
  },
  {
    name: 'DELETE /ingest/events/{event_id}',
    folder: 'delete-event',
    path: `/ingest/events/${randomUUID()}`,
    parts: { method: 'DELETE' },
    permission: 'events_delete',
  },
  {
    name: 'DELETE /ingest/events',
    folder: 'delete-recipient',
    path: '/ingest/events?recipient_id=r',
    parts: { method: 'DELETE' },
    permission: 'events_delete',
  },
  {
    name: 'GET /ingest/status',
    folder: 'get-status',
    path: '/ingest/status',
    parts: { method: 'GET' },
    permission: 'events_write',
  },
  {
    name: 'POST /ingest/analysis',
    folder: 'post-analysis',
    path: '/ingest/analysis',
    parts: {},
    permission: 'events_write',
  },
  {
    name: 'GET /ingest/sources',
    folder: 'get-sources',
    path: '/ingest/sources',
    parts: { method: 'GET' },
    permission: 'events_write',
  },
  {
    name: 'POST /ingest/replays',
    folder: 'post-replays',
    path: '/ingest/replays?source=src_0000000000000000000000',
    parts: {},
    permission: 'events_write',
  },
];

/** Those that outreach tools deliver to: proven in ways of their own, without a window. */
export const RECEIVERS: readonly Pick<Endpoint, 'name' | 'folder'>[] = [
  { name: 'POST /ingest/sources/{source}', folder: 'deliveries' },
  { name: 'POST /ingest/sources/{source}/{token}', folder: 'deliveries' },
];
