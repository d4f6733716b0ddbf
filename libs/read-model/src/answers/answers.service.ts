import { Inject, Injectable, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import {
  AppError,
  argumentsSchemaOf,
  questionNamed,
  type Answer,
  type Arguments,
  type QuestionNamed,
} from '@outcomes/contracts';
import type { TenantScope } from '@outcomes/tenancy';
import { argumentCheck, type ArgumentCheck } from '../arguments/argument-check';
import { ANSWERED_BY, type AnsweredName, type QuestionService } from './answered-by';
import { roundedAnswer } from './rounded-answer';

/**
 * Answers every question of agents. Each answer is the complete result document: MCP returns it, REST puts it into its
 * envelope. Numbers are rounded here, by one rule.
 */
@Injectable()
export class Answers {
  private readonly checks = new Map<AnsweredName, ArgumentCheck>();

  constructor(@Inject(ModuleRef) private readonly services: ModuleRef) {
    for (const name of Object.keys(ANSWERED_BY) as AnsweredName[])
      this.checks.set(name, argumentCheck(argumentsSchemaOf(questionNamed(name))));
  }

  /**
   * @throws AppError INVALID_PARAMETER (with `parameter`) for a bad argument, and SERVICE_UNAVAILABLE while Postgres
   * is away
   */
  async answer<Name extends AnsweredName>(
    name: Name,
    scope: TenantScope,
    given: Arguments<QuestionNamed<Name>>,
  ): Promise<Answer<QuestionNamed<Name>>> {
    const fault = this.checks.get(name)?.(given);
    if (fault) {
      throw new AppError('INVALID_PARAMETER', { parameter: fault.field }, { message: fault.message });
    }
    const service = this.services.get(ANSWERED_BY[name] as unknown as Type<QuestionService<Name>>);
    return roundedAnswer(await service.answer(scope, given));
  }
}
