import {
  createRootRoute,
  createRoute,
  lazyRouteComponent,
  Link,
  Outlet,
  type RouteComponent,
} from '@tanstack/react-router';
import type { SignInSearch } from './api/place.query';
import { OverviewPage } from './overview/overview.page';
import { HomePage } from './shell/home.page';
import { ShellPage } from './shell/shell.page';

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: () => (
    <main className="alone">
      <h1>Page not found</h1>
      <Link to="/">To the overview</Link>
    </main>
  ),
});
const company = createRoute({ getParentRoute: () => root, path: '/c/$company', component: ShellPage });

/** A list of a company that is read page by page; its address says which page it is. */
const paged = <const Path extends string>(path: Path, component: RouteComponent) =>
  createRoute({
    getParentRoute: () => company,
    path,
    validateSearch: ({ pages }: Record<string, unknown>): { pages?: string[] } =>
      Array.isArray(pages) && pages.every((cursor) => typeof cursor === 'string') ? { pages } : {},
    component,
  });

/** A page of a company. */
const page = <const Path extends string>(path: Path, component: RouteComponent) =>
  createRoute({ getParentRoute: () => company, path, component });

// Each page besides the first is fetched when somebody goes there.
const routes = [
  createRoute({ getParentRoute: () => root, path: '/', component: HomePage }),
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in',
    validateSearch: ({ to, refused }: Record<string, unknown>): SignInSearch => ({
      ...(typeof to === 'string' && { to }),
      ...(typeof refused === 'string' && { refused }),
    }),
    component: lazyRouteComponent(() => import('./sign-in/sign-in.page'), 'SignInPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/invite',
    component: lazyRouteComponent(() => import('./sign-in/invitation.page'), 'InvitationPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/account',
    component: lazyRouteComponent(() => import('./account/account.page'), 'AccountPage'),
  }),
  company.addChildren([
    createRoute({ getParentRoute: () => company, path: '/', component: OverviewPage }),
    page(
      '/findings',
      lazyRouteComponent(() => import('./findings/findings.page'), 'FindingsPage'),
    ),
    page(
      '/findings/$code',
      lazyRouteComponent(() => import('./findings/finding.page'), 'FindingPage'),
    ),
    page(
      '/rates',
      lazyRouteComponent(() => import('./rates/rates.page'), 'RatesPage'),
    ),
    page(
      '/drift',
      lazyRouteComponent(() => import('./drift/drift.page'), 'DriftPage'),
    ),
    paged(
      '/campaigns',
      lazyRouteComponent(() => import('./campaigns/campaigns.page'), 'CampaignsPage'),
    ),
    page(
      '/campaigns/$campaign',
      lazyRouteComponent(() => import('./campaigns/campaign.page'), 'CampaignPage'),
    ),
    page(
      '/contacts',
      lazyRouteComponent(() => import('./contacts/contacts.page'), 'ContactsPage'),
    ),
    paged(
      '/decisions',
      lazyRouteComponent(() => import('./decisions/decisions.page'), 'DecisionsPage'),
    ),
    page(
      '/decisions/$decision',
      lazyRouteComponent(() => import('./decisions/decision.page'), 'DecisionPage'),
    ),
    page(
      '/calibration',
      lazyRouteComponent(() => import('./calibration/calibration.page'), 'CalibrationPage'),
    ),
    page(
      '/backtest',
      lazyRouteComponent(() => import('./backtest/backtest.page'), 'BacktestPage'),
    ),
    paged(
      '/audit',
      lazyRouteComponent(() => import('./audit/audit.page'), 'AuditPage'),
    ),
    page(
      '/recipients',
      lazyRouteComponent(() => import('./recipients/recipients.page'), 'RecipientsPage'),
    ),
    createRoute({
      getParentRoute: () => company,
      path: '/ledger',
      validateSearch: ({ hints }: Record<string, unknown>): { hints?: boolean } =>
        hints === true ? { hints } : {},
      component: lazyRouteComponent(() => import('./ledger/ledger.page'), 'LedgerPage'),
    }),
    page(
      '/usage',
      lazyRouteComponent(() => import('./usage/usage.page'), 'UsagePage'),
    ),
    page(
      '/settings',
      lazyRouteComponent(() => import('./settings/settings.page'), 'SettingsPage'),
    ),
    page(
      '/data',
      lazyRouteComponent(() => import('./data/data.page'), 'DataPage'),
    ),
    page(
      '/data/import',
      lazyRouteComponent(() => import('./import/import.page'), 'ImportPage'),
    ),
    page(
      '/access',
      lazyRouteComponent(() => import('./access/access.page'), 'AccessPage'),
    ),
    page(
      '/people',
      lazyRouteComponent(() => import('./people/people.page'), 'PeoplePage'),
    ),
  ]),
] as const;

export const routeTree = root.addChildren([...routes]);
