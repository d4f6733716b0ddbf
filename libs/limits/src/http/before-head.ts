import type { Response } from 'express';

/**
 * Runs once, when the status is settled and headers can still change.
 * @param then - gets the status of the answer
 */
export function beforeHead(response: Response, then: (status: number) => void): void {
  const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => Response;
  response.writeHead = ((...head: unknown[]) => {
    response.writeHead = writeHead as Response['writeHead'];
    then(typeof head[0] === 'number' ? head[0] : response.statusCode);
    return writeHead(...head);
  }) as Response['writeHead'];
}
