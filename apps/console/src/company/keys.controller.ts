import { Controller, Delete, Get, Inject, Param, Post } from '@nestjs/common';
import { RequirePermission } from '@outcomes/auth';
import { KEY_PURPOSES, type KeyPurpose } from '@outcomes/contracts';
import { TakesBody } from '@outcomes/limits';
import { z } from '@outcomes/platform';
import { JsonBody } from '../access/json-body.decorator';
import { Visiting, type Visit } from '../access/visitor.decorator';
import { AgentAccess } from './agent-access.service';

const MAX_BYTES = 4_096;
const NEW_KEY = z.strictObject({
  name: z.string().trim().min(1, 'says what the key is for').max(100),
  purpose: z.enum(Object.keys(KEY_PURPOSES) as [KeyPurpose, ...KeyPurpose[]]).optional(),
});

/** The agent-access screen: for owners and organization admins. */
@Controller('api/c/:company/keys')
@RequirePermission('manage_billing')
export class KeysController {
  constructor(@Inject(AgentAccess) private readonly access: AgentAccess) {}

  @Get()
  list(@Visiting() visit: Visit) {
    return this.access.describe(visit);
  }

  @Post()
  @TakesBody('application/json', MAX_BYTES)
  create(@Visiting() visit: Visit, @JsonBody(NEW_KEY) key: z.infer<typeof NEW_KEY>) {
    return this.access.create(visit, key);
  }

  @Delete(':keyId')
  revoke(@Visiting() visit: Visit, @Param('keyId') keyId: string) {
    return this.access.revoke(visit, keyId);
  }
}
