import { AppError } from '@outcomes/contracts';
import { Management } from '@outcomes/platform';
import { CredentialMetrics } from './credential-metrics.service';

const REASONS = [
  ...[
    'INVALID_FORMAT',
    'TOKEN_NOT_FOUND',
    'TOKEN_INACTIVE',
    'TOKEN_EXPIRED',
    'TOKEN_LOCKED',
    'TOKEN_INVALID',
  ],
  ...['missing_token', 'invalid_token', 'CONFLICTING_CREDENTIALS', 'TOO_MANY_FAILED_ATTEMPTS', 'elsewhere'],
];

describe('what operators are told of refused credentials', () => {
  let management: Management;
  let metrics: CredentialMetrics;

  beforeEach(() => {
    management = new Management('metrics-test');
    metrics = new CredentialMetrics(management);
  });
  afterEach(() => management.close());

  const valuesOf = async (name: string) =>
    (await management.registry.getSingleMetric(name)?.get())?.values ?? [];
  const counted = async () =>
    Object.fromEntries(
      (await valuesOf('outcomes_credentials_refused_total')).map(({ labels, value }) => [
        labels['reason'],
        value,
      ]),
    );

  it('is every reason from the start, so that a rate can be told from the first refusal', async () => {
    expect(await counted()).toEqual(Object.fromEntries(REASONS.map((reason) => [reason, 0])));
  });

  it.each([
    ['TOKEN_LOCKED', new AppError('self_serve_auth_failed', { reason: 'TOKEN_LOCKED' })],
    ['invalid_token', new AppError('invalid_token')],
    ['missing_token', new AppError('missing_token')],
    ['CONFLICTING_CREDENTIALS', new AppError('CONFLICTING_CREDENTIALS')],
    ['TOO_MANY_FAILED_ATTEMPTS', new AppError('TOO_MANY_FAILED_ATTEMPTS')],
    ['elsewhere', new AppError('Forbidden')],
  ])('counts %s by that name', async (reason, error) => {
    metrics.refused(error);
    expect(await counted()).toMatchObject({ [reason]: 1 });
    expect(Object.values(await counted()).filter((count) => count !== 0)).toEqual([1]);
  });

  it.each([
    new AppError('SERVICE_UNAVAILABLE'),
    new AppError('INTERNAL_ERROR'),
    new TypeError('x'),
    undefined,
  ])('counts no fault of ours: %s', async (error) => {
    metrics.refused(error);
    expect(Object.values(await counted()).filter((count) => count !== 0)).toEqual([]);
  });

  it('has the locked keys beside them', async () => {
    metrics.locked();
    expect(await valuesOf('outcomes_keys_locked_total')).toMatchObject([{ value: 1 }]);
  });
});
