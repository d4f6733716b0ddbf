import { Controller, Get, Inject, type Type } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, RequirePermission, type Principal } from '@outcomes/auth';
import { questionNamed, type RestRoute } from '@outcomes/contracts';
import { Given } from '@outcomes/limits';
import { ANSWERED_BY, Answers, type AnsweredName } from '@outcomes/read-model';
import { addressOf, Read } from '../openapi';

/** One address of one question, in full: all that it says comes from the question. */
function controllerOf(name: AnsweredName, route: RestRoute): Type {
  const question = questionNamed(name);

  @Controller()
  @ApiTags('Intelligence')
  @RequirePermission('analytics_read')
  class QuestionController {
    constructor(@Inject(Answers) private readonly answers: Answers) {}

    @Get(addressOf(question, route))
    @Read(question, route)
    answer(@Caller() caller: Principal, @Given() given: object) {
      return this.answers.answer(name, caller.scope, given);
    }
  }

  return QuestionController;
}

/** Every question that the read model answers, at each of its addresses. */
export const QUESTION_CONTROLLERS: readonly Type[] = (Object.keys(ANSWERED_BY) as AnsweredName[]).flatMap(
  (name) => questionNamed(name).rest.map((route) => controllerOf(name, route)),
);
