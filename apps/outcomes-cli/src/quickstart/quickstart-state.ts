import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { PlantedFacts } from './demonstration';

/** What somebody signs in to the console with. */
export interface SignIn {
  readonly email: string;
  readonly password: string;
}

/** How far the demonstration has come. Kept beside the data, so that nothing is done twice. */
export interface QuickstartState {
  readonly companyId: string;
  readonly companyName: string;
  readonly apiKey: string;
  /** What makes the history the same at every try. */
  readonly seed: number;
  readonly today: number;
  readonly planted: PlantedFacts | null;
  readonly sent: boolean;
  readonly analysed: boolean;
  /** Whom the console lets in; absent in the files of earlier versions. */
  readonly signIn?: SignIn;
}

/** With nothing left to do. */
export type DoneState = QuickstartState & { readonly signIn: SignIn };

export function isDone(state: QuickstartState | undefined): state is DoneState {
  return state !== undefined && state.sent && state.analysed && state.signIn !== undefined;
}

export function readState(file: string): QuickstartState | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as QuickstartState;
  } catch {
    // None yet, or one that a crash cut short: begin anew.
    return undefined;
  }
}

/** Renamed into place, readable by its owner alone: it holds a key. */
export function writeSecretJson(file: string, value: object): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
