module Mastodon
  module Version
    def major
      4
    end

    def minor
      0
    end

    def patch
      0
    end

    def api_versions
      { mastodon: 2 }
    end
  end
end
