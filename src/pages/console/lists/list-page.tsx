/** The documents of a collection type. */
import { useEffect, useState } from 'preact/hooks';
import { type DescribedType, pathNameOf } from '../server/me.ts';
import { request } from '../server/request.ts';
import { hrefOf } from '../shell/location.ts';

type Row = Readonly<Record<string, unknown>> & { readonly documentId: string };

export default function ListPage({ type }: { readonly type: DescribedType }) {
  const [rows, setRows] = useState<readonly Row[]>([]);
  useEffect(() => {
    const query = `fields[0]=documentId${type.title === undefined ? '' : `&fields[1]=${type.title}`}${type.draftAndPublish ? '&status=draft' : ''}`;
    void request<{ readonly data: readonly Row[] }>('GET', type.path, { query }).then(({ json }) => setRows(json?.data ?? []));
  }, [type]);
  return (
    <div class="page">
      <h1>{type.label}</h1>
      <ul>
        {rows.map((row) => (
          <li key={row.documentId}>
            <a href={hrefOf(['content', pathNameOf(type), row.documentId])}>{String(row[type.title ?? 'documentId'] ?? row.documentId)}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}
