export type {
  Condition,
  FactMapping,
  MessageMapping,
  Path,
  Route,
  SourceProfile,
  Told,
  Value,
} from './profile';
export { TOLD } from './profile';
export { PROFILE_SCHEMA } from './profile-schema';
export { PROFILES, profileOf } from './profiles/known-profiles';
export {
  detectByColumns,
  detectByRecord,
  type Detection,
  type FoundRoute,
  type NearRoute,
} from './detect/detect-route';
export { areRejects, REJECTS_COLUMNS, rejectedCells, withFormula } from './detect/rejects-file';
export { DELIMITERS, textFormOf, type TextForm } from './detect/text-form';
export { FileHistory } from './history/file-history';
export { FileMapping, type FileFault, type MappedRecord } from './history/file-mapping';
export { parseEmailAddress, type EmailAddress } from './interpret/email-address';
export { FAULT_CODES, ROW_FAULTS, type FaultCode, type RecordFault } from './interpret/fault';
export {
  mapRecord,
  noteRecord,
  type MapContext,
  type Mapped,
  type MappedEvent,
} from './interpret/map-record';
export { namedEvent, type NamedEvent } from './interpret/named-event';
export type { SourceRecord } from './interpret/read-path';
export { isTimeZone } from './interpret/read-time';
export { addressOf, recipientIdOf } from './interpret/recipient-id';
export { hashInHeldAddress, reduceRecord, type ReducedRecord } from './interpret/reduced-record';
export type { SourceEvent } from './interpret/source-event';
export { stickingBeside } from './interpret/sticking';
export { typesTelling, type TypesTelling } from './interpret/types-telling';
