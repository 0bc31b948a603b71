# Runs a formula as Homebrew would on this machine, with stand-ins for Homebrew's classes.
#
#     ruby try-formula.rb FORMULA DIST TREE PREFIX
require "digest"
require "fileutils"
require "pathname"

# A Place is a directory into which a formula installs files.
class Place < Pathname
  def install(*names)
    FileUtils.mkdir_p(self)
    names.flatten.each { |name| FileUtils.cp_r(name, self, preserve: true) }
  end

  def /(other) = Place.new(super.to_s)
end

# Formula records the declarations in the body of a formula's class, for all systems.
class Formula
  class << self
    attr_reader :said, :sources

    def inherited(formula) = formula.instance_eval { @said, @sources = {}, [] }
    %i[desc homepage version license].each { |name| define_method(name) { |value| @said[name] = value } }
    %i[on_macos on_linux on_arm on_intel].each { |name| define_method(name) { |&block| instance_eval(&block) } }
    def url(value) = @sources << [value]
    def sha256(value) = @sources.last << value
    def test = nil
  end

  def initialize(prefix) = @prefix = Place.new(prefix)
  def bin = @prefix/"bin"
  def libexec = @prefix/"libexec"
  alias opt_libexec libexec
  def man1 = @prefix/"share/man/man1"
  def man5 = @prefix/"share/man/man5"
  def man7 = @prefix/"share/man/man7"
  def doc = @prefix/"share/doc/doppel"
  def bash_completion = @prefix/"etc/bash_completion.d"
  def zsh_completion = @prefix/"share/zsh/site-functions"
  def fish_completion = @prefix/"share/fish/vendor_completions.d"
end

formula, dist, tree, prefix = ARGV
load formula
abort "#{formula}: lacks a field" unless Doppel.said.size == 4
abort "#{formula}: desc is longer than 80" if "doppel: #{Doppel.said[:desc]}".size > 80
abort "#{formula}: want four archives" unless Doppel.sources.size == 4
Doppel.sources.each do |url, sum|
  archive = File.join(dist, File.basename(url))
  abort "#{archive}: not the sum of the formula" unless Digest::SHA256.file(archive).hexdigest == sum
end
Dir.chdir(tree) { Doppel.new(prefix).install }
abort "#{formula}: caveats name no directory" unless Doppel.new(prefix).caveats.include?("#{prefix}/libexec/doppel/bin")
