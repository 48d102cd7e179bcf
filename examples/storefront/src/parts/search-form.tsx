/** Searches all products. */
export const SearchForm = ({ search }: { search?: string | undefined }) => (
  <search>
    <form class="find" method="get" action="/">
      <label class="unseen" for="search">
        Search
      </label>
      <input
        type="search"
        id="search"
        name="search"
        value={search}
        maxlength={200}
        placeholder="Search all products"
        enterkeyhint="search"
      />
      <button type="submit">Search</button>
    </form>
  </search>
);
