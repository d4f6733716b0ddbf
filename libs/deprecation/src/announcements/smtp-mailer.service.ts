import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport } from 'nodemailer';

/** How announcements are sent. */
export interface SmtpSettings {
  /** smtp:// or smtps://, with user and password where the server asks for them. A secret. */
  readonly url: string;
  /** Address that announcements come from. */
  readonly from: string;
  /** Longest wait for one step of sending, in milliseconds, at most 60,000; a message takes at most four times that. */
  readonly timeoutMs: number;
}

/** SmtpSettings, or null where nothing is sent. */
export const SMTP_SETTINGS = Symbol('SmtpSettings');

export interface MailMessage {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same for every attempt, so that a receiver can tell a copy. Without brackets and host. */
  readonly messageId: string;
}

/** An attempt takes no longer than so many steps may, whatever the server does. */
const STEPS = 4;

/** Hands messages to an SMTP server, one connection each. */
@Injectable()
export class SmtpMailer implements OnApplicationShutdown {
  private readonly stopping = new AbortController();
  private readonly transport;

  constructor(@Inject(SMTP_SETTINGS) private readonly settings: SmtpSettings | null) {
    this.transport = settings && createTransport(transportOptions(settings));
  }

  get isOn(): boolean {
    return this.transport !== null;
  }

  /** Resolves when the server has taken the message; rejects where it refuses it, is away or takes too long. */
  async send({ to, subject, text, messageId }: MailMessage): Promise<void> {
    if (!this.transport || !this.settings) return;
    const { from, timeoutMs } = this.settings;
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
      signal: AbortSignal.any([this.stopping.signal, AbortSignal.timeout(STEPS * timeoutMs)]),
    });
  }

  /** After those who send have stopped: what is under way then is cut off. */
  onApplicationShutdown(): void {
    this.stopping.abort();
    this.transport?.close();
  }
}

function transportOptions({ url, timeoutMs }: SmtpSettings) {
  const { password, searchParams } = new URL(url);
  return {
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    // A password never goes over a line that somebody has kept from being encrypted.
    ...(password !== '' && !searchParams.has('requireTLS') && { requireTLS: true }),
  };
}
