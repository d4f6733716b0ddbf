import { Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { Invitations } from '@outcomes/accounts';
import { ForVisitors } from '@outcomes/auth';
import { LONGEST_PASSWORD } from '@outcomes/contracts';
import { TakesBody } from '@outcomes/limits';
import { OfExchange, z, type Exchange } from '@outcomes/platform';
import { JsonBody } from '../access/json-body.decorator';
import { SignInDesk } from './sign-in-desk.service';

const MAX_BYTES = 4_096;
const TOKEN = z.string().regex(/^[\w-]{43}$/, 'is not the text of an invitation');
const PRESENTED = z.strictObject({ token: TOKEN });
const ACCEPTED = z.strictObject({ token: TOKEN, password: z.string().max(LONGEST_PASSWORD).optional() });

/** Invitations, by what they are proven with; it travels in bodies, never in an address. */
@Controller('api/invitations')
export class InvitationController {
  constructor(
    @Inject(SignInDesk) private readonly desk: SignInDesk,
    @Inject(Invitations) private readonly invitations: Invitations,
  ) {}

  @Post('read')
  @HttpCode(200)
  @ForVisitors()
  @TakesBody('application/json', MAX_BYTES)
  read(@JsonBody(PRESENTED) { token }: z.infer<typeof PRESENTED>) {
    return this.invitations.read(token);
  }

  @Post('accept')
  @HttpCode(200)
  @ForVisitors()
  @TakesBody('application/json', MAX_BYTES)
  accept(
    @OfExchange() exchange: Exchange,
    @JsonBody(ACCEPTED) { token, password }: z.infer<typeof ACCEPTED>,
  ) {
    return this.desk.accept(exchange, token, password);
  }
}
