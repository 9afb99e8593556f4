module Mastodon
  module Version
    def major
      4
    end

    def minor
      1
    end

    def patch
      0
    end

    def api_versions
      { mastodon: 3 }
    end
  end
end
