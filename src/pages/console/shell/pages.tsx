/** The page that the location names. */

import { mayRelease } from '../releases/release.ts';
import { may, typeAtPath } from '../server/me.ts';
import { say } from '../words/say.ts';
import { later } from './later.tsx';
import { place } from './location.ts';
import { PageTitle } from './page-title.tsx';
import { Start } from './start.tsx';

const AccessPage = later(() => import('../people/access-page.tsx'));
const AccountPage = later(() => import('../people/account-page.tsx'));
const DocumentPage = later(() => import('../document/document-page.tsx'));
const ListPage = later(() => import('../lists/list-page.tsx'));
const MediaPage = later(() => import('../media/media-page.tsx'));
const ReleasesPage = later(() => import('../releases/releases-page.tsx'));

export function Pages() {
  const { path } = place.value;
  const [area, name, documentId] = path;
  if (area === undefined) return <Start />;
  if (area === 'media') return <MediaPage />;
  if (area === 'releases' && mayRelease()) return <ReleasesPage />;
  if (area === 'access') return <AccessPage />;
  if (area === 'account') return <AccountPage />;
  const type = area === 'content' && name !== undefined ? typeAtPath(name) : undefined;
  if (type === undefined || path.length > 3) return <Missing />;
  // The key: another document, or another locale of it, begins anew.
  const key = `${type.uid} ${documentId} ${place.value.query.get('locale')} ${documentId === 'new' ? place.value.arrival : ''}`;
  if (type.kind === 'singleType') return <DocumentPage key={key} type={type} documentId={undefined} />;
  if (documentId === undefined) return may(type, 'find') ? <ListPage key={type.uid} type={type} /> : <Missing />;
  return <DocumentPage key={key} type={type} documentId={documentId === 'new' ? undefined : documentId} />;
}

const Missing = () => (
  <div class="page">
    <PageTitle text={say('shell.notFound')} />
  </div>
);
