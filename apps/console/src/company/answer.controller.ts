import { Controller, Get, Inject, type Type } from '@nestjs/common';
import { RequirePermission } from '@outcomes/auth';
import { questionNamed, type RestRoute } from '@outcomes/contracts';
import { Given, TakesArguments } from '@outcomes/limits';
import { addressReader, ANSWERED_BY, Answers, type AnsweredName } from '@outcomes/read-model';
import { Visiting, type Visit } from '../access/visitor.decorator';

/** One address of one question: the same answer as in the read API, for whoever may enter the company. */
function controllerOf(name: AnsweredName, route: RestRoute): Type {
  const address = route.path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1');

  @Controller('api/c/:company')
  @RequirePermission('read')
  class AnswerController {
    constructor(@Inject(Answers) private readonly answers: Answers) {}

    @Get(address)
    @TakesArguments(addressReader(questionNamed(name), route))
    answer(@Visiting() { scope }: Visit, @Given() given: object) {
      return this.answers.answer(name, scope, given);
    }
  }

  return AnswerController;
}

/** Every question that the read model answers, at each of its addresses below the company. */
export const ANSWER_CONTROLLERS: readonly Type[] = (Object.keys(ANSWERED_BY) as AnsweredName[]).flatMap(
  (name) => questionNamed(name).rest.map((route) => controllerOf(name, route)),
);
