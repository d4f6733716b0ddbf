import { join } from 'node:path';
import { send, within } from '../local/processes.mjs';
import { Supervisor, type Service } from '../local/supervisor.mjs';

/** A program that is killed and started again, each life under a supervisor of its own. */
export class Life {
  #supervisor: Supervisor | undefined;
  #service;
  #directory;

  /** @param directory For its log. */
  constructor(service: Service, directory: string) {
    this.#service = service;
    this.#directory = directory;
  }

  /** Starts it and waits until it is ready. */
  async start() {
    this.#supervisor = new Supervisor({
      logs: join(this.#directory, 'logs'),
      processes: join(this.#directory, `${this.#service.name}.json`),
      restart: false,
    });
    await this.#supervisor.start(this.#service);
    return this;
  }

  get pid() {
    return this.#supervisor?.pid(this.#service.name);
  }

  /** Sends a signal and goes on at once. */
  signal(signal: NodeJS.Signals) {
    if (this.pid !== undefined) send(this.pid, signal);
  }

  /** Ends it by a signal and waits until it is gone. */
  async kill(signal: NodeJS.Signals) {
    this.signal(signal);
    return this.gone(15_000);
  }

  /** @returns Whether it was gone in time. */
  gone(milliseconds: number): Promise<boolean> {
    return within(milliseconds, () => this.pid === undefined);
  }

  /** Ends it by a signal and starts it again. */
  async restart(signal: NodeJS.Signals) {
    await this.kill(signal);
    await this.start();
  }

  /** Ends it in order. */
  async stop() {
    await this.#supervisor?.stop();
  }

  /** Ends it at once. */
  abandon() {
    this.#supervisor?.kill();
  }
}
