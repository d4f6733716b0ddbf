import { All, Controller, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AddressGuard } from '../access/address.guard';
import { CallerGuard } from '../access/caller.guard';
import { McpEntrance } from './mcp-entrance.service';

@Controller()
export class McpController {
  constructor(private readonly entrance: McpEntrance) {}

  /** Every verb: a stranger with the wrong verb is told that he is a stranger, not which verbs there are. */
  @All('mcp')
  @UseGuards(AddressGuard, CallerGuard)
  receive(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.entrance.receive(request, response);
  }
}
