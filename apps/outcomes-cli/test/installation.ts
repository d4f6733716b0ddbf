import { createTestDatabase, freePort, Installation as Processes, type App } from '@outcomes/testing';

/** A whole installation for one suite, whose services come back on their ports. */
export class Installation extends Processes {
  private readonly ports = new Map<App, Record<string, string>>();

  /** @param environment - of every service and of the program */
  static async start(
    apps: readonly App[],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<Installation> {
    const installation = new Installation(await createTestDatabase(), { environment });
    await Promise.all(apps.map((app) => installation.startAgain(app)));
    return installation;
  }

  /** Ends a service without a word of warning, and starts it again on the same ports. */
  async killAndRestart(app: App): Promise<void> {
    await this.stopServices({ app, signal: 'SIGKILL' });
    await this.startAgain(app);
  }

  private async startAgain(app: App): Promise<void> {
    const ports = this.ports.get(app) ?? {
      PORT: String(await freePort()),
      MANAGEMENT_PORT: String(await freePort()),
    };
    this.ports.set(app, ports);
    await this.start(app, ports);
  }
}
