import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport } from 'nodemailer';

/** How announcements are sent. */
export interface SmtpSettings {
  /** smtp:// or smtps://, with user and password where the server asks for them. A secret. */
  readonly url: string;
  /** Address that announcements come from. */
  readonly from: string;
}

/** SmtpSettings, or null where nothing is sent. */
export const SMTP_SETTINGS = Symbol('SmtpSettings');

export interface Message {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same for every attempt, so that a receiver can tell a copy. Without brackets and host. */
  readonly messageId: string;
}

/** An attempt takes no longer, whatever the server does. */
export const SEND_TIMEOUT_MS = 60_000;
/** Longest wait for one step of it. */
const STEP_TIMEOUT_MS = 15_000;

/** Hands messages to an SMTP server, one connection each. */
@Injectable()
export class SmtpMailer implements OnApplicationShutdown {
  private readonly stopping = new AbortController();
  private readonly transport;

  constructor(@Inject(SMTP_SETTINGS) private readonly settings: SmtpSettings | null) {
    this.transport = settings && createTransport(transportOptions(settings.url));
  }

  get isOn(): boolean {
    return this.transport !== null;
  }

  /** Resolves when the server has taken the message; rejects where it refuses it, is away or takes too long. */
  async send({ to, subject, text, messageId }: Message): Promise<void> {
    if (!this.transport || !this.settings) return;
    const { from } = this.settings;
    await this.transport.sendMail({
      from,
      to: { name: '', address: to },
      subject,
      text,
      messageId: `<${messageId}@${from.slice(from.lastIndexOf('@') + 1)}>`,
      // Asks answering machines and mailing lists to keep quiet.
      headers: { 'Auto-Submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true,
      signal: AbortSignal.any([this.stopping.signal, AbortSignal.timeout(SEND_TIMEOUT_MS)]),
    });
  }

  /** After those who send have stopped: what is under way then is cut off. */
  onApplicationShutdown(): void {
    this.stopping.abort();
    this.transport?.close();
  }
}

function transportOptions(url: string) {
  const { password, searchParams } = new URL(url);
  return {
    url,
    connectionTimeout: STEP_TIMEOUT_MS,
    greetingTimeout: STEP_TIMEOUT_MS,
    socketTimeout: STEP_TIMEOUT_MS,
    dnsTimeout: STEP_TIMEOUT_MS,
    // A password never goes over a line that somebody has kept from being encrypted.
    ...(password !== '' && !searchParams.has('requireTLS') && { requireTLS: true }),
  };
}
