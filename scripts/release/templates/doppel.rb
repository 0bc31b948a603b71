class Doppel < Formula
  desc "Find exact and near duplicates in datasets, files and mail"
  homepage "@HOMEPAGE@"
  version "@VERSION@"
  license all_of: ["MIT", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause"]

  on_macos do
    on_arm do
      url "@DOWNLOAD@/doppel-@VERSION@-darwin-arm64.tar.gz"
      sha256 "@DARWIN_ARM64@"
    end
    on_intel do
      url "@DOWNLOAD@/doppel-@VERSION@-darwin-amd64.tar.gz"
      sha256 "@DARWIN_AMD64@"
    end
  end

  on_linux do
    on_arm do
      url "@DOWNLOAD@/doppel-@VERSION@-linux-arm64.tar.gz"
      sha256 "@LINUX_ARM64@"
    end
    on_intel do
      url "@DOWNLOAD@/doppel-@VERSION@-linux-amd64.tar.gz"
      sha256 "@LINUX_AMD64@"
    end
  end

  def install
    bin.install "bin/doppel"
    (libexec/"doppel/bin").install Dir["libexec/doppel/bin/*"]
    man1.install Dir["share/man/man1/*"]
    man5.install Dir["share/man/man5/*"]
    man7.install Dir["share/man/man7/*"]
    bash_completion.install "share/bash-completion/completions/doppel"
    zsh_completion.install "share/zsh/site-functions/_doppel"
    fish_completion.install "share/fish/vendor_completions.d/doppel.fish"
    doc.install Dir["share/doc/doppel/*"]
  end

  def caveats
    "To run the filters by their own names, add #{opt_libexec}/doppel/bin to PATH."
  end

  test do
    (testpath/"a.jsonl").write("{\"text\":\"one two three\"}\n{\"text\":\"one two three\"}\n")
    assert_equal "{\"text\":\"one two three\"}\n", shell_output("#{bin}/doppel exact --stats none a.jsonl")
  end
end
