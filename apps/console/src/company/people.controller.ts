import { Controller, Delete, Get, Inject, Param, Post, Put } from '@nestjs/common';
import { People } from '@outcomes/accounts';
import { RequirePermission } from '@outcomes/auth';
import { ROLES } from '@outcomes/contracts';
import { TakesBody } from '@outcomes/limits';
import { z } from '@outcomes/platform';
import { JsonBody } from '../access/json-body.decorator';
import { Visiting, type Visit } from '../access/visitor.decorator';
import { RoleGrants } from './role-grants.service';

const MAX_BYTES = 4_096;
const INVITED = z.strictObject({ email: z.string().max(254), role: z.enum(ROLES) });
const CHANGED = z.strictObject({ role: z.enum(ROLES) });

/** Who may enter the company. */
@Controller('api/c/:company/people')
@RequirePermission('manage_people')
export class PeopleController {
  constructor(
    @Inject(People) private readonly people: People,
    @Inject(RoleGrants) private readonly grants: RoleGrants,
  ) {}

  @Get()
  list(@Visiting() { scope }: Visit) {
    return this.people.list(scope);
  }

  @Post()
  @TakesBody('application/json', MAX_BYTES)
  invite(@Visiting() visit: Visit, @JsonBody(INVITED) { email, role }: z.infer<typeof INVITED>) {
    return this.grants.invite(visit, email, role);
  }

  @Delete('invitations/:invitationId')
  withdraw(@Visiting() { scope, role: by, deed }: Visit, @Param('invitationId') invitationId: string) {
    return this.people.withdraw(scope, by, invitationId, deed);
  }

  @Put(':userId')
  @TakesBody('application/json', MAX_BYTES)
  change(
    @Visiting() visit: Visit,
    @Param('userId') userId: string,
    @JsonBody(CHANGED) { role }: z.infer<typeof CHANGED>,
  ) {
    return this.grants.change(visit, userId, role);
  }

  @Delete(':userId')
  remove(@Visiting() { scope, role: by, deed }: Visit, @Param('userId') userId: string) {
    return this.people.remove(scope, by, userId, deed);
  }
}
