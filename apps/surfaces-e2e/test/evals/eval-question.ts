import type { ToolName } from '@outcomes/contracts';
import type { Document } from '../voices/voices';
import type { EvalCompany, PlantedTruth } from './planted-truth';

export interface ToolCall {
  readonly name: ToolName;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** An answer in the form that a question asks for; undefined: cannot tell. */
export type Told = string | number | undefined;

/** What somebody asks about a company, and what is true. */
export interface EvalQuestion {
  readonly asker: 'salesperson' | 'leader' | 'auditor';
  readonly company: EvalCompany;
  readonly text: string;
  /** How to answer, for a model: beside "cannot tell", which every question takes. */
  readonly form: string;
  /** What a scripted client asks for. */
  readonly calls: readonly ToolCall[];
  /** Its fixed rule: the answer, from the results of these calls alone. */
  readonly read: (...results: readonly Document[]) => Told;
  /** @param callsBefore - tool calls of the company that were answered before this question */
  readonly isRight: (told: Told, callsBefore: number) => boolean;
}

/** How a question was answered. */
export interface Answered {
  readonly question: EvalQuestion;
  readonly told: Told;
  readonly isRight: boolean;
  /** Wrong, and told as if it were right. */
  readonly isMisleading: boolean;
  readonly calls: number;
  readonly bytes: number;
  readonly tokens: number;
}

/** Characters of JSON to a token, as tools/list is counted too. */
export const CHARACTERS_PER_TOKEN = 4;

export type Ask = (truth: PlantedTruth) => Omit<EvalQuestion, 'company'>;

const isChoice = (told: Told, right: string | undefined): boolean =>
  right === undefined ? told === undefined : told === right;

/** A question with one right choice; undefined where the right answer is that nobody can tell. */
export const choice =
  (right: string | undefined) =>
  (told: Told): boolean =>
    isChoice(told, right);

/** A number within a distance of what is true. */
export const near =
  (right: number, distance: number) =>
  (told: Told): boolean =>
    typeof told === 'number' && Math.abs(told - right) <= distance;

export const yesOrNo = (is: boolean): string => (is ? 'yes' : 'no');
