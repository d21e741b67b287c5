/** `dist/sbom.cdx.json`: the packages in the files of `dist`, in the format CycloneDX, for tools that look for known vulnerabilities. `npm audit` of a project sees only what is installed. */

/** @param {{ name: string, version: string, license: string }} product
 *  @param {{ name: string, version: string, license: string }[]} packages
 *  The same text for the same packages: neither time nor folders are in it. */
export function sbomOf(product, packages) {
  const components = [...new Map(packages.map(component).map((each) => [each.purl, each])).values()];
  const main = { ...component(product), type: 'application' };
  const bom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: main },
    components,
    dependencies: [{ ref: main.purl, dependsOn: components.map((each) => each['bom-ref']) }],
  };
  return `${JSON.stringify(bom)}\n`;
}

function component({ name, version, license }) {
  const [last = '', scope] = name.split('/').reverse();
  const purl = `pkg:npm/${scope === undefined ? '' : `${encodeURIComponent(scope)}/`}${last}@${encodeURIComponent(version)}`;
  return {
    type: 'library',
    'bom-ref': purl,
    ...(scope === undefined ? {} : { group: scope }),
    name: last,
    version,
    licenses: [/ (?:AND|OR) /.test(license) ? { expression: license } : { license: { id: license } }],
    purl,
  };
}
