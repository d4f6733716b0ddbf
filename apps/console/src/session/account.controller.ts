import { Controller, Get, Inject, Put } from '@nestjs/common';
import type { Session } from '@outcomes/accounts';
import { Guarded } from '@outcomes/auth';
import { LONGEST_PASSWORD } from '@outcomes/contracts';
import { TakesBody } from '@outcomes/limits';
import { OfExchange, z, type Exchange } from '@outcomes/platform';
import { JsonBody } from '../access/json-body.decorator';
import { SignedIn } from '../access/visitor.decorator';
import { SignInDesk } from './sign-in-desk.service';

const MAX_BYTES = 4_096;
const PASSWORDS = z.strictObject({
  current: z.string().max(LONGEST_PASSWORD),
  next: z.string().max(LONGEST_PASSWORD),
});

/** The account of whoever is signed in: nobody else's has an address. */
@Controller('api/account')
@Guarded()
export class AccountController {
  constructor(@Inject(SignInDesk) private readonly desk: SignInDesk) {}

  @Get()
  read(@OfExchange() exchange: Exchange, @SignedIn() session: Session) {
    return this.desk.account(exchange, session);
  }

  @Put('password')
  @TakesBody('application/json', MAX_BYTES)
  changePassword(
    @OfExchange() exchange: Exchange,
    @SignedIn() session: Session,
    @JsonBody(PASSWORDS) change: z.infer<typeof PASSWORDS>,
  ) {
    return this.desk.changePassword(exchange, session, change);
  }
}
