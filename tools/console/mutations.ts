// Faults that each promise of the console is tested against: what is changed, and which test has to fail of it.

/** `text` stands in the file exactly once */
interface Change {
  file: string;
  text: string;
  by: string;
}

/** `files` as in suites.ts; `test` is its full name */
export interface NamedTest {
  project: string;
  files: string;
  test: string;
}

/** `saying` stands in the failure: a test that fails for another reason has caught nothing */
export interface Mutation {
  name: string;
  changes: readonly Change[];
  of: NamedTest;
  saying: string;
}

const inBrowserSuite =
  (name: string, describe: string): ((test: string) => NamedTest) =>
  (test) => ({
    project: 'surfaces-e2e',
    files: `surfaces-e2e/test/console-${name}\\.`,
    test: `${describe} ${test}`,
  });
const inAccounts =
  (files: string, describe: string): ((test: string) => NamedTest) =>
  (test) => ({
    ...{ project: 'accounts', files, test: `${describe} ${test}` },
  });

const api = inBrowserSuite('api', 'the API of the console');
const access = inBrowserSuite('access', 'agent access in the console');
const signIn = inBrowserSuite('sign-in', 'signing in to the console');
const pages = inBrowserSuite('pages', 'the pages of the console');
const budgets = inBrowserSuite('budgets', 'the budgets of the console');
const accounts = inAccounts('accounts/src/accounts\\.int-spec', 'accounts');
const oidc = inAccounts('oidc-sign-in\\.int-spec', 'sign-in at an OpenID Connect provider');

const REVOKED = api('keys are made, shown once, used, and refused within a second after they were revoked');
const CLICKED = access(
  'makes a key that is copied, used over REST and MCP, and refused a second after it was revoked',
);
const LOOKED_AT = pages('are free of faults that axe knows, and of policy reports, in light at 1280 pixels');
const PAGED = pages('go through a list page by page, as the address says, and keep the focus');
const DRAWN = pages('draw the numbers that the API says');
const replays = inBrowserSuite('replay', 'replays of decisions');
const WALK = inBrowserSuite(
  'walk',
  'the walk of a new owner',
)('leads from an empty company by a file to the first finding, and to what it rests on');

const KEYS = 'libs/auth/src/administration/key-administration.service.ts';
const SESSIONS = 'libs/accounts/src/sessions/sessions.service.ts';
const INVITATIONS = 'libs/accounts/src/people/invitations.service.ts';
const STORED_INVITATIONS = 'libs/accounts/src/people/invitation.repository.ts';
const ATTEMPTS = 'libs/accounts/src/sign-in/sign-in-attempt.repository.ts';
const LOCAL = 'libs/accounts/src/sign-in/local-sign-in.service.ts';
const OIDC = 'libs/accounts/src/sign-in/oidc-sign-in.service.ts';
const ADMISSION = 'apps/console/src/access/visitor-admission.service.ts';
const MAIN = 'apps/console-web/src/main.tsx';
const NEW_KEY = 'apps/console-web/src/access/created-key.panel.tsx';
const FOREST = 'apps/console-web/src/findings/forest.chart.tsx';
const REPLAY = 'apps/console-web/src/decisions/replay.query.ts';
const QUERIES = 'apps/console-web/src/api/console.query.ts';
const KEPT = 'const [isCopied, setCopied] = useState(false);';

export const MUTATIONS: readonly Mutation[] = [
  {
    name: 'a revocation is told to nobody',
    changes: [{ file: KEYS, text: 'await this.tellPods(keyId);', by: '' }],
    of: REVOKED,
    saying: 'gave up waiting: the key to be refused',
  },
  {
    name: 'services keep what they know of a revoked key',
    changes: [
      {
        file: 'libs/auth/src/keys/key-directory.service.ts',
        text: "events.on('changed', (keyId) => this.invalidate(keyId));",
        by: "events.on('changed', () => undefined);",
      },
    ],
    of: CLICKED,
    saying: 'Expected: < 1000',
  },
  {
    name: 'a fourth key is made',
    changes: [{ file: KEYS, text: '>= MAX_ACTIVE_KEYS', by: '> MAX_ACTIVE_KEYS' }],
    of: api('keys are three at most, and only of the own company'),
    saying: '409',
  },
  {
    name: 'a member may what an owner may',
    changes: [{ file: SESSIONS, text: 'PERMISSIONS_OF_ROLE[role]', by: 'PERMISSIONS_OF_ROLE.owner' }],
    of: api('refuses a member what is for owners and organization admins, and says who holds it'),
    saying: 'MISSING_PERMISSION',
  },
  {
    name: 'a member sees the way to what is guarded',
    changes: [
      {
        file: 'apps/console-web/src/shell/shell.page.tsx',
        text: '...GUARDED_PLACES.filter(([, , permission]) => own?.permissions.includes(permission)),',
        by: '...GUARDED_PLACES,',
      },
    ],
    of: access('shows a member no way to what is guarded, and refuses the addresses with whom to ask'),
    saying: 'Agent access',
  },
  {
    name: 'an answer of the identity provider to any nonce',
    changes: [
      {
        file: OIDC,
        text: '      nonce,\n    });\n    return { location, cookie };',
        by: '    });\n    return { location, cookie };',
      },
      { file: OIDC, text: '        expectedNonce: nonce,\n', by: '' },
    ],
    of: oidc('refuses an answer to another nonce than was asked with'),
    saying: 'IDENTITY_REFUSED',
  },
  {
    name: 'an attempt to sign in may be presented again',
    changes: [
      {
        file: ATTEMPTS,
        text: 'DELETE FROM sign_in_attempts WHERE attempt_sha256 = $1\n       RETURNING nonce, code_verifier AS verifier, invitation_sha256 AS invitation, began_at AS "beganAt",\n         reauthenticates',
        by: 'SELECT nonce, code_verifier AS verifier, invitation_sha256 AS invitation, began_at AS "beganAt", reauthenticates FROM sign_in_attempts WHERE attempt_sha256 = $1',
      },
    ],
    of: oidc('refuses an answer that is right, in an attempt that was refused before'),
    saying: 'IDENTITY_REFUSED',
  },
  {
    name: 'an address that nobody verified opens an invitation',
    changes: [{ file: OIDC, text: 'isVerified !== true)', by: "(isVerified !== true && sub === ''))" }],
    of: oidc('refuses an address that the provider has not verified'),
    saying: 'IDENTITY_REFUSED',
  },
  {
    name: 'changes are taken from pages of others',
    changes: [
      {
        file: ADMISSION,
        text: 'if (changes && !isSameOrigin',
        by: "if (changes && url === '' && !isSameOrigin",
      },
    ],
    of: api('takes changes from its own pages alone'),
    saying: 'CROSS_SITE_REQUEST',
  },
  {
    name: 'a new sign-in takes the place of the page on which something was entered',
    changes: [{ file: 'apps/console-web/src/shell/answer.panel.tsx', text: ' target="_blank"', by: '' }],
    of: signIn('again before a deletion leads back to its company, and the dialog keeps what was entered'),
    saying: 'popup',
  },
  {
    name: 'a sign-in keeps the id that the browser came with',
    changes: [
      { file: SESSIONS, text: 'const secret = newSecret();', by: 'const secret = earlier ?? newSecret();' },
    ],
    of: api('keeps nothing under a cookie that was planted, and ends a session when told'),
    saying: '.not.toBe',
  },
  {
    name: 'a planted session lives on beside the new one',
    changes: [{ file: SESSIONS, text: 'if (earlier !== undefined)', by: "if (earlier === '')" }],
    of: accounts(
      'a session ends the one that the browser presented, so that a cookie somebody planted is worth nothing',
    ),
    saying: 'toBeUndefined',
  },
  {
    name: 'an invitation is for whoever has it',
    changes: [
      { file: INVITATIONS, text: 'if (invitation.email !== email)', by: "if (invitation.email === '')" },
    ],
    of: accounts(
      'an invitation is for its address: neither a thief with an account nor one without the password gets in',
    ),
    saying: 'INVITATION_NOT_FOUND',
  },
  {
    name: 'an invitation opens as often as it is presented',
    changes: [
      {
        file: STORED_INVITATIONS,
        text: ' AND accepted_at IS NULL AND created_at > $2`,\n',
        by: ' AND created_at > $2`,\n',
      },
      { file: STORED_INVITATIONS, text: '\n       AND accepted_at IS NULL`', by: '`' },
    ],
    of: accounts('an invitation makes an account of its address and role, once'),
    saying: 'INVITATION_NOT_FOUND',
  },
  {
    name: 'whoever is in one company enters every other by its address',
    changes: [
      {
        file: SESSIONS,
        text: 'memberships.find((candidate) => candidate.companyId === companyId)',
        by: 'memberships[0]',
      },
    ],
    of: api('says nothing of another company, and the same as of one that there is not'),
    saying: '"status": 404',
  },
  {
    name: 'a page writes a style that its policy forbids',
    changes: [
      {
        file: MAIN,
        text: "const place = document.getElementById('page');",
        by: "document.head.append(Object.assign(document.createElement('style'), { textContent: 'b{color:red}' }));\nconst place = document.getElementById('page');",
      },
    ],
    of: LOOKED_AT,
    saying: 'policy: style-src',
  },
  {
    name: 'a field has no label',
    changes: [
      {
        file: 'apps/console-web/src/settings/settings.page.tsx',
        text: '<label htmlFor="time-zone">Time zone</label>',
        by: '<p>Time zone</p>',
      },
    ],
    of: LOOKED_AT,
    saying: 'select-name',
  },
  {
    name: 'odds ratios are drawn beside their place',
    changes: [{ file: FOREST, text: 'cx={x(odds_ratio)}', by: 'cx={x(odds_ratio) + 6}' }],
    of: DRAWN,
    saying: 'Array [',
  },
  {
    name: 'intervals of arms are drawn beside their place',
    changes: [
      {
        file: 'apps/console-web/src/rates/arms.chart.tsx',
        text: 'x1={x(ci_low)}',
        by: 'x1={x(ci_low) + 6}',
      },
    ],
    of: DRAWN,
    saying: 'Array [',
  },
  {
    name: 'a mark says the number of another',
    changes: [
      {
        file: 'apps/console-web/src/findings/evidence.chart.tsx',
        text: 'data-log-e={logE}',
        by: 'data-log-e={weeks[0]?.logE}',
      },
    ],
    of: DRAWN,
    saying: 'Array [',
  },
  {
    name: 'reading waits for Redis',
    changes: [
      {
        file: 'libs/platform/src/redis/redis-gate.ts',
        text: 'if (!this.answers) return undefined;',
        by: 'while (!this.answers) await new Promise((done) => setTimeout(done, 50));',
      },
      {
        file: ADMISSION,
        text: 'if (!session) return this.stranger(exchange, access);',
        by: 'if (!session) return this.stranger(exchange, access);\n    await this.limiter.consumeAddress(exchange.ip);',
      },
    ],
    of: api('reads on while Redis is away'),
    saying: 'Exceeded timeout',
  },
  {
    name: 'a password is logged',
    changes: [
      {
        file: LOCAL,
        text: 'const email = emailAddress(given.email);',
        by: 'const email = emailAddress(given.email);\n    process.stdout.write(`${JSON.stringify(given)}\\n`);',
      },
    ],
    of: api('writes no password, cookie, key or invitation into logs or Redis'),
    saying: '.not.toContain',
  },
  {
    name: 'a new key is kept in the browser',
    changes: [{ file: NEW_KEY, text: KEPT, by: `${KEPT}\n  sessionStorage.setItem('key', created.apiKey);` }],
    of: CLICKED,
    saying: '.not.toContain',
  },
  {
    name: 'a new key stands in the address',
    changes: [
      {
        file: NEW_KEY,
        text: KEPT,
        by: `${KEPT}\n  History.prototype.replaceState.call(history, history.state, '', \`#\${created.apiKey}\`);`,
      },
    ],
    of: CLICKED,
    saying: '.not.toContain',
  },
  {
    name: 'a large library comes with the first screen',
    changes: [
      {
        file: MAIN,
        text: "import { BrokenPage } from './shell/broken.page';",
        by: "import { BrokenPage } from './shell/broken.page';\nimport 'chart.js/auto';",
      },
    ],
    of: budgets('hold for what a browser fetches'),
    saying: 'Expected: < 153600',
  },
  {
    name: 'a night that found no data hides what is to be done first',
    changes: [
      {
        file: 'apps/console-web/src/overview/overview.page.tsx',
        text: 'findings.data?.newest_outcome_at === null',
        by: 'findings.data?.data_as_of === null',
      },
    ],
    of: WALK,
    saying: 'From nothing to the first finding',
  },
  {
    name: 'no analysis follows an import',
    changes: [
      {
        file: 'libs/ingestion/src/plans/analysis-plans.service.ts',
        text: 'if (!plan) return undefined;',
        by: 'if (!plan || plan.isFirstDay) return undefined;',
      },
    ],
    of: WALK,
    saying: 'What these messages can and cannot tell',
  },
  {
    name: 'an import calls itself done before it is analysed',
    changes: [
      {
        file: 'apps/console-web/src/import/processing.panel.tsx',
        text: "events_pending === 0 && unanalysed_since === null && analysis === 'idle'",
        by: 'events_pending === 0',
      },
    ],
    of: WALK,
    saying: 'Expected: 0',
  },
  {
    name: 'a finding is told with another number than it has',
    changes: [
      {
        file: 'apps/console-web/src/findings/finding-lines.panel.tsx',
        text: 'odds ratio {times(evidence.odds_ratio)}',
        by: 'odds ratio {times(evidence.odds_ratio_high)}',
      },
    ],
    of: WALK,
    saying: 'odds ratio',
  },
  {
    name: 'the page of a finding does not show it',
    changes: [
      {
        file: 'apps/console-web/src/findings/finding.page.tsx',
        text: 'recommendations.find((one) => one.code === code)',
        by: 'recommendations.find((one) => one.title === code)',
      },
    ],
    of: WALK,
    saying: "waiting for getByRole('heading'",
  },
  {
    name: 'a browser calls every replay the same',
    changes: [{ file: REPLAY, text: 'replay.identical', by: "replay.result !== ''" }],
    of: replays('in a browser name the first field that came out otherwise'),
    saying: 'waitDays is 0 here and 3 as frozen',
  },
  {
    name: 'the engine of the page replays what another made',
    changes: [{ file: REPLAY, text: 'engineVersion !== engine.ENGINE_VERSION', by: "engineVersion === ''" }],
    of: replays('in a browser leave what another engine made to the server'),
    saying: 'which keeps earlier engines',
  },
  {
    name: 'a list is taken away while its next page is read',
    changes: [{ file: QUERIES, text: '(of?.queryKey[0] === company ? page : undefined)', by: 'undefined' }],
    of: PAGED,
    saying: 'Expected substring: "agent caller-60"',
  },
  {
    name: 'a list stays while that of another company is read',
    changes: [{ file: QUERIES, text: '(of?.queryKey[0] === company ? page : undefined)', by: 'page' }],
    of: PAGED,
    saying: 'Expected substring: not "caller-"',
  },
  {
    name: 'patterns are named by codes',
    changes: [
      {
        file: 'apps/console-web/src/findings/pattern-title.format.ts',
        text: 'plain(PATTERN_CATALOGUE.find((pattern) => pattern.code === code)?.title ?? code)',
        by: 'plain(PATTERN_CATALOGUE.length > 0 ? code : code)',
      },
    ],
    of: pages('tell what is new since the visit before'),
    saying: 'Sending on Monday (DOW-1)',
  },
  {
    name: 'what replays a decision comes with the page',
    changes: [
      {
        file: REPLAY,
        text: "import { useQuery } from '@tanstack/react-query';",
        by: "import { useQuery } from '@tanstack/react-query';\nimport * as engine from './replay';",
      },
      { file: REPLAY, text: "import('./replay')", by: 'Promise.resolve(engine)' },
    ],
    of: replays('in a browser are fetched and made when somebody asks, and said of both'),
    saying: 'Expected length: 1',
  },
  {
    name: 'a browser takes texts with another hash for what was frozen',
    changes: [{ file: REPLAY, text: 'hex !== said', by: "hex === ''" }],
    of: replays('in a browser tell a model that is another than was frozen, and one that is gone'),
    saying: 'Another SHA-256 than the server states',
  },
  {
    name: 'the console lends a result that was read and written anew',
    changes: [
      {
        file: 'libs/analysis/src/decisions/decision-replay.service.ts',
        text: 'inputsSha256: sha256(inputs), result, ',
        by: 'inputsSha256: sha256(inputs), result: JSON.stringify(JSON.parse(result)), ',
      },
    ],
    of: replays('in a browser tell values that were written otherwise'),
    saying: 'written otherwise',
  },
  {
    name: 'the exponential is that of the platform',
    changes: [
      {
        file: 'libs/statistics/src/numerics/exp.ts',
        text: 'if (isRemainder(x)) {',
        by: 'if (Number.isFinite(x)) return Math.exp(x);\n  if (isRemainder(x)) {',
      },
    ],
    of: replays('in a browser give the frozen bytes in Chromium, with the code that the page fetches'),
    saying: '"identical": 1000',
  },
  {
    name: 'the logarithm is that of the platform',
    changes: [
      {
        file: 'libs/statistics/src/numerics/log.ts',
        text: 'const isNormal = x >= SMALLEST_NORMAL;',
        by: 'if (x > 0) return Math.log(x);\n  const isNormal = x >= SMALLEST_NORMAL;',
      },
    ],
    of: replays('elsewhere give the frozen bytes whatever the last bits of the platform are'),
    saying: '"identical": 1000',
  },
];
