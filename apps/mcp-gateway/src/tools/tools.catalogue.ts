import { QUESTIONS, type Question } from '@outcomes/contracts';
import { toolOf, type Tool } from './question.tool';

/** In the order in which they are listed. */
export const TOOLS: readonly Tool[] = (QUESTIONS as readonly Question[]).flatMap((question) =>
  question.tool ? [toolOf(question, question.tool)] : [],
);
