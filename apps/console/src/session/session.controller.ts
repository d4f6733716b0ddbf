import { Controller, Delete, Get, HttpCode, Inject, Post } from '@nestjs/common';
import { OwnCompanies, type LocalCredentials, type Session } from '@outcomes/accounts';
import { ForVisitors, Guarded } from '@outcomes/auth';
import { LONGEST_PASSWORD } from '@outcomes/contracts';
import { TakesBody } from '@outcomes/limits';
import { OfExchange, z, type Exchange } from '@outcomes/platform';
import { JsonBody } from '../access/json-body.decorator';
import { SignedIn } from '../access/visitor.decorator';
import { SignInDesk } from './sign-in-desk.service';

const MAX_BYTES = 4_096;
const CREDENTIALS = z.strictObject({
  email: z.string().max(254),
  password: z.string().max(LONGEST_PASSWORD),
});

/** Who is signed in. */
@Controller('api')
export class SessionController {
  constructor(
    @Inject(SignInDesk) private readonly desk: SignInDesk,
    @Inject(OwnCompanies) private readonly companies: OwnCompanies,
  ) {}

  @Get('sign-in')
  @ForVisitors()
  kind() {
    return { kind: this.desk.kind };
  }

  @Post('session')
  @ForVisitors()
  @TakesBody('application/json', MAX_BYTES)
  signIn(@OfExchange() exchange: Exchange, @JsonBody(CREDENTIALS) credentials: LocalCredentials) {
    return this.desk.signIn(exchange, credentials);
  }

  @Delete('session')
  @HttpCode(200)
  @ForVisitors()
  signOut(@OfExchange() exchange: Exchange) {
    return this.desk.signOut(exchange, undefined);
  }

  @Delete('sessions')
  @HttpCode(200)
  @Guarded()
  signOutEverywhere(@OfExchange() exchange: Exchange, @SignedIn() session: Session) {
    return this.desk.signOut(exchange, session);
  }

  @Get('me')
  @Guarded()
  me(@SignedIn() session: Session) {
    return this.companies.of(session);
  }
}
