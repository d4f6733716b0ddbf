import { Injectable } from '@nestjs/common';
import { Exchange, requestIdOf, type FastRoute } from '@outcomes/platform';
import type { Request, Response } from 'express';
import { callerOf } from '../access';
import { AddressGuard } from '../access/address.guard';
import { CallerGuard } from '../access/caller.guard';
import { McpEndpoint } from './mcp-endpoint.service';

/** The two ways to the endpoint: the fast path, which nearly every message takes, and Nest's for whatever is odd. */
@Injectable()
export class McpEntrance {
  constructor(
    private readonly endpoint: McpEndpoint,
    private readonly addresses: AddressGuard,
    private readonly callers: CallerGuard,
  ) {}

  /** Behind the guards of the controller. */
  receive(request: Request, response: Response): Promise<void> {
    const exchange = new Exchange(request, response, request.ip ?? '', requestIdOf(response));
    return this.endpoint.answer(exchange, callerOf(request));
  }

  /** Messages of plain clients: pages of the web need CORS headers, which Express adds. */
  get fastRoute(): FastRoute {
    return {
      method: 'POST',
      path: '/mcp',
      takes: (request) => request.headers.origin === undefined,
      answer: async (exchange) => {
        const { request, ip, setHeader } = exchange;
        this.addresses.admit(request.headers);
        const caller = await this.callers.admit({ headers: request.headers, ip }, setHeader);
        await this.endpoint.answer(exchange, caller);
      },
    };
  }
}
