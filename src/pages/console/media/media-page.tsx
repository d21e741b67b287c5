/** Stands here until the library is in. */
export default function MediaPage() {
  return null;
}
