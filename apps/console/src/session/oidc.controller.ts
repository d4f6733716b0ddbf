import { Controller, Get, HttpCode, Inject, Post } from '@nestjs/common';
import { ForVisitors } from '@outcomes/auth';
import { TakesBody } from '@outcomes/limits';
import { OfExchange, z, type Exchange } from '@outcomes/platform';
import { JsonBody } from '../access/json-body.decorator';
import { SignInDesk } from './sign-in-desk.service';

const MAX_BYTES = 4_096;
const BEGUN = z.strictObject({ invitation: z.string().max(64).optional() });

/** To an identity provider and back. */
@Controller('api/oidc')
export class OidcController {
  constructor(@Inject(SignInDesk) private readonly desk: SignInDesk) {}

  @Post('start')
  @HttpCode(200)
  @ForVisitors()
  @TakesBody('application/json', MAX_BYTES)
  start(@OfExchange() exchange: Exchange, @JsonBody(BEGUN) { invitation }: z.infer<typeof BEGUN>) {
    return this.desk.beginElsewhere(exchange, invitation);
  }

  @Get('callback')
  @ForVisitors()
  callback(@OfExchange() exchange: Exchange) {
    return this.desk.finishElsewhere(exchange);
  }
}
